// comd - molecular dynamics in the manner of CoMD: atoms of a crystal in boxes with room for 64, an atom a thread, Lennard-Jones forces from all atoms of the
// 27 boxes around, in doubles. Positions are gathered box by box: neighbouring blocks share them.
#include "common/workload.h"

enum { THREADS = 128, ROOM = 64, BOXES_AROUND = 27 };

struct Crystal {
    int boxes, side; // boxes in all, along each edge
    double edge;     // of a box; also the reach of the force
};

__host__ __device__ static int box_around(const Crystal &c, int box, int k)
{
    const int s = c.side, x = (box % s + k % 3 + s - 1) % s, y = (box / s % s + k / 3 % 3 + s - 1) % s, z = (box / s / s + k / 9 + s - 1) % s;
    return (z * s + y) * s + x;
}

// The shorter way around, since the crystal repeats itself.
__host__ __device__ static double nearest(double d, double length) { return d > 0.5 * length ? d - length : d < -0.5 * length ? d + length : d; }

__host__ __device__ static void lj_force_on(const Crystal &c, const double *x, const double *y, const double *z, const int *count, int box, int slot, double *out)
{
    const int me = box * ROOM + slot;
    const double length = c.edge * c.side, reach = c.edge * c.edge;
    double fx = 0, fy = 0, fz = 0, energy = 0;
    for (int k = 0; k < BOXES_AROUND; k++) {
        const int other = box_around(c, box, k);
        for (int i = 0; i < count[other]; i++) {
            const int at = other * ROOM + i;
            const double dx = nearest(x[me] - x[at], length), dy = nearest(y[me] - y[at], length), dz = nearest(z[me] - z[at], length), squared = dx * dx + dy * dy + dz * dz;
            if (at == me || squared > reach)
                continue;
            const double inverse = 1.0 / squared, sixth = inverse * inverse * inverse;
            energy += 0.5 * 4.0 * sixth * (sixth - 1.0);
            const double pull = 24.0 * sixth * (2.0 * sixth - 1.0) * inverse;
            fx += dx * pull;
            fy += dy * pull;
            fz += dz * pull;
        }
    }
    out[0] = fx;
    out[1] = fy;
    out[2] = fz;
    out[3] = energy;
}

__global__ void comd_force(Crystal c, const double *x, const double *y, const double *z, const int *count, double *fx, double *fy, double *fz, double *energy)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, box = i / ROOM, slot = i % ROOM;
    if (box >= c.boxes || slot >= count[box])
        return;
    double f[4];
    lj_force_on(c, x, y, z, count, box, slot, f);
    fx[i] = f[0];
    fy[i] = f[1];
    fz[i] = f[2];
    energy[i] = f[3];
}

__global__ void comd_advance(Crystal c, double *x, double *y, double *z, const int *count, double *vx, double *vy, double *vz, const double *fx, const double *fy, const double *fz, double step)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i / ROOM >= c.boxes || i % ROOM >= count[i / ROOM])
        return;
    vx[i] += step * fx[i];
    vy[i] += step * fy[i];
    vz[i] += step * fz[i];
    x[i] += step * vx[i];
    y[i] += step * vy[i];
    z[i] += step * vz[i];
}

typedef std::vector<double> Doubles;

int main(int argc, char **argv)
{
    const workload::Run run = workload::parse(argc, argv, "comd");
    const int side = workload::pick(run, 3, 4, 8, 24), steps = workload::pick(run, 1, 1, 2, 2), atoms = workload::pick(run, 6, 24, 32, 32);
    const Crystal c = {side * side * side, side, 2.5};
    workload::Rng rng(run.seed);
    const size_t room = static_cast<size_t>(c.boxes) * ROOM;
    Doubles x(room), y(room), z(room), vx(room), vy(room), vz(room);
    std::vector<int> count(c.boxes, 0);
    for (int b = 0; b < c.boxes; b++) // a face-centred lattice, two cells along each edge of a box, slightly out of place
        for (int k = 0; k < atoms; k++) {
            const int cell = k / 4, corner = k % 4;
            const size_t at = static_cast<size_t>(b) * ROOM + count[b]++;
            const double half = 0.25 * c.edge, wx = cell % 2 * 2 + (corner == 1 || corner == 2), wy = cell / 2 % 2 * 2 + (corner == 1 || corner == 3), wz = cell / 4 * 2 + (corner == 2 || corner == 3);
            x[at] = (b % side) * c.edge + half * (wx + 0.5) + static_cast<double>(rng.uniform(-0.05f, 0.05f));
            y[at] = (b / side % side) * c.edge + half * (wy + 0.5) + static_cast<double>(rng.uniform(-0.05f, 0.05f));
            z[at] = (b / side / side) * c.edge + half * (wz + 0.5) + static_cast<double>(rng.uniform(-0.05f, 0.05f));
        }
    workload::Buffer<double> dx(x), dy(y), dz(z), dvx(vx), dvy(vy), dvz(vz), fx(room), fy(room), fz(room), energy(room);
    workload::Buffer<int> dc(count);
    const unsigned blocks = workload::blocks_for(room, THREADS);
    bool right = true;
    for (int s = 0; s < steps; s++) {
        x = dx.download();
        y = dy.download();
        z = dz.download();
        comd_force<<<blocks, THREADS>>>(c, dx.get(), dy.get(), dz.get(), dc.get(), fx.get(), fy.get(), fz.get(), energy.get());
        comd_advance<<<blocks, THREADS>>>(c, dx.get(), dy.get(), dz.get(), dc.get(), dvx.get(), dvy.get(), dvz.get(), fx.get(), fy.get(), fz.get(), 1e-4);
        workload::finish_kernels("comd");
        const Doubles gx = fx.download(), gy = fy.download(), gz = fz.download(), ge = energy.download();
        for (int b = 0; b < c.boxes; b += run.size == workload::PAPER ? 7 : 1)
            for (int i = 0; i < count[b]; i++) {
                double f[4];
                lj_force_on(c, x.data(), y.data(), z.data(), count.data(), b, i, f);
                const size_t at = static_cast<size_t>(b) * ROOM + i;
                const double got[4] = {gx[at], gy[at], gz[at], ge[at]};
                for (int k = 0; k < 4; k++)
                    right = right && std::fabs(got[k] - f[k]) <= 1e-6 * (1 + std::fabs(f[k]));
            }
        double momentum = 0, all = 0; // forces come in pairs
        for (size_t i = 0; i < room; i++)
            if (static_cast<int>(i % ROOM) < count[i / ROOM]) {
                momentum += gx[i];
                all += std::fabs(gx[i]);
            }
        right = right && std::fabs(momentum) <= 1e-6 * all;
    }
    const Doubles moved = dx.download(), speed = dvx.download();
    for (size_t i = 0; i < room; i++)
        right = right && (static_cast<int>(i % ROOM) >= count[i / ROOM] || std::fabs(moved[i] - x[i] - 1e-4 * speed[i]) < 1e-9);
    return workload::verdict(run, right, "forces and moves");
}
