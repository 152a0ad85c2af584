// Particles, fluids and fields.
__global__ void nbody_all(const float4 *body, float4 *force, int n, float softening)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = body[i];
    float ax = 0, ay = 0, az = 0;
    for (int j = 0; j < n; j++) {
        float4 b = body[j];
        float dx = b.x - me.x, dy = b.y - me.y, dz = b.z - me.z;
        float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + softening), s = b.w * inverse * inverse * inverse;
        ax += dx * s, ay += dy * s, az += dz * s;
    }
    force[i] = make_float4(ax, ay, az, 0);
}

__global__ void nbody_shared(const float4 *position, float4 *velocity, int n, float dt)
{
    __shared__ float4 tile[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    float4 me = position[i];
    float ax = 0, ay = 0, az = 0;
    for (int t = 0; t < n / 256; t++) {
        tile[threadIdx.x] = position[t * 256 + threadIdx.x];
        __syncthreads();
#pragma unroll 8
        for (int j = 0; j < 256; j++) {
            float4 b = tile[j];
            float dx = b.x - me.x, dy = b.y - me.y, dz = b.z - me.z;
            float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f), s = b.w * inverse * inverse * inverse;
            ax += dx * s, ay += dy * s, az += dz * s;
        }
        __syncthreads();
    }
    velocity[i].x += ax * dt, velocity[i].y += ay * dt, velocity[i].z += az * dt;
}

__global__ void lennard_jones(const double *x, const double *y, const double *z, const int *neighbours, int per, double *fx, double *fy,
                              double *fz, int n, double cut2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double sx = 0, sy = 0, sz = 0;
    for (int k = 0; k < per; k++) {
        int j = neighbours[k * n + i];
        double dx = x[i] - x[j], dy = y[i] - y[j], dz = z[i] - z[j], r2 = dx * dx + dy * dy + dz * dz;
        if (r2 < cut2) {
            double r2i = 1.0 / r2, r6i = r2i * r2i * r2i, f = r2i * r6i * (1.5 * r6i - 2.0);
            sx += dx * f, sy += dy * f, sz += dz * f;
        }
    }
    fx[i] = sx, fy[i] = sy, fz[i] = sz;
}

struct state { float density, mx, my, mz, energy; };

__device__ void flux_of(const state &s, float pressure, float nx, float ny, float nz, float *f)
{
    float un = (s.mx * nx + s.my * ny + s.mz * nz) / s.density;
    f[0] = s.density * un;
    f[1] = s.mx * un + pressure * nx;
    f[2] = s.my * un + pressure * ny;
    f[3] = s.mz * un + pressure * nz;
    f[4] = (s.energy + pressure) * un;
}

__global__ void euler_flux(int n, const int *neighbours, const float *normals, const float *variables, float *fluxes)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    state me = { variables[i], variables[i + n], variables[i + 2 * n], variables[i + 3 * n], variables[i + 4 * n] };
    float p = 0.4f * (me.energy - 0.5f * (me.mx * me.mx + me.my * me.my + me.mz * me.mz) / me.density), sum[5] = {};
    float speed = sqrtf(1.4f * p / me.density);
#pragma unroll
    for (int j = 0; j < 4; j++) {
        int nb = neighbours[i + j * n];
        float nx = normals[i + (j * 3) * n], ny = normals[i + (j * 3 + 1) * n], nz = normals[i + (j * 3 + 2) * n];
        if (nb >= 0) {
            state o = { variables[nb], variables[nb + n], variables[nb + 2 * n], variables[nb + 3 * n], variables[nb + 4 * n] };
            float po = 0.4f * (o.energy - 0.5f * (o.mx * o.mx + o.my * o.my + o.mz * o.mz) / o.density);
            float a[5], b[5], factor = 0.2f * sqrtf(nx * nx + ny * ny + nz * nz) * (speed + sqrtf(1.4f * po / o.density));
            flux_of(me, p, nx, ny, nz, a);
            flux_of(o, po, nx, ny, nz, b);
            sum[0] += 0.5f * (a[0] + b[0]) - factor * (me.density - o.density);
            sum[1] += 0.5f * (a[1] + b[1]) - factor * (me.mx - o.mx);
            sum[2] += 0.5f * (a[2] + b[2]) - factor * (me.my - o.my);
            sum[3] += 0.5f * (a[3] + b[3]) - factor * (me.mz - o.mz);
            sum[4] += 0.5f * (a[4] + b[4]) - factor * (me.energy - o.energy);
        } else {
            sum[1] += nx * p, sum[2] += ny * p, sum[3] += nz * p;
        }
    }
    for (int k = 0; k < 5; k++)
        fluxes[i + k * n] = sum[k];
}

__global__ void heat3d(const float *in, const float *power, float *out, int nx, int ny, int nz, float ce, float cn, float ct, float cc, float step)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x, j = blockDim.y * blockIdx.y + threadIdx.y, c = i + j * nx, xy = nx * ny;
    int w = i == 0 ? c : c - 1, e = i == nx - 1 ? c : c + 1, n = j == 0 ? c : c - nx, s = j == ny - 1 ? c : c + nx;
    float below = in[c], here = below, above = in[c + xy];
    for (int k = 0; k < nz - 1; k++) {
        out[c] = cc * here + ce * (in[w] + in[e]) + cn * (in[s] + in[n]) + ct * (above + below) + step * power[c];
        c += xy, w += xy, e += xy, n += xy, s += xy;
        below = here, here = above, above = in[c + xy];
    }
}

__global__ void wave(const float *now, float *before, int w, int h, float k)
{
    __shared__ float tile[18][18];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y, i = y * w + x;
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    tile[ty][tx] = now[i];
    if (threadIdx.x == 0)
        tile[ty][0] = x > 0 ? now[i - 1] : 0;
    if (threadIdx.x == 15)
        tile[ty][17] = x < w - 1 ? now[i + 1] : 0;
    if (threadIdx.y == 0)
        tile[0][tx] = y > 0 ? now[i - w] : 0;
    if (threadIdx.y == 15)
        tile[17][tx] = y < h - 1 ? now[i + w] : 0;
    __syncthreads();
    before[i] = 2 * tile[ty][tx] - before[i] + k * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx] - 4 * tile[ty][tx]);
}

__global__ void high_order_stencil(const float *in, float *out, const float *c, int w, int h, int depth)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x + 4, y = blockIdx.y * blockDim.y + threadIdx.y + 4, stride = w * h;
    int at = y * w + x;
    float front[4], behind[4], now = in[at + 4 * stride];
    for (int i = 0; i < 4; i++)
        behind[i] = in[at + (3 - i) * stride], front[i] = in[at + (5 + i) * stride];
    at += 4 * stride;
    for (int z = 4; z < depth - 4; z++) {
        float v = c[0] * now;
        for (int i = 0; i < 4; i++)
            v += c[i + 1] * (front[i] + behind[i] + in[at - i - 1] + in[at + i + 1] + in[at - (i + 1) * w] + in[at + (i + 1) * w]);
        out[at] = v;
        for (int i = 3; i > 0; i--)
            behind[i] = behind[i - 1];
        behind[0] = now, now = front[0];
        for (int i = 0; i < 3; i++)
            front[i] = front[i + 1];
        at += stride;
        front[3] = in[at + 4 * stride];
    }
}

__global__ void coulomb_slice(const float4 *atoms, int count, float spacing, float *grid, int width)
{
    int x = blockIdx.x * blockDim.x * 4 + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float cx = x * spacing, cy = y * spacing, step = blockDim.x * spacing, e0 = 0, e1 = 0, e2 = 0, e3 = 0;
    for (int i = 0; i < count; i++) {
        float dy = cy - atoms[i].y, r = dy * dy + atoms[i].z, dx = cx - atoms[i].x, q = atoms[i].w;
        e0 += q * rsqrtf(dx * dx + r);
        dx += step;
        e1 += q * rsqrtf(dx * dx + r);
        dx += step;
        e2 += q * rsqrtf(dx * dx + r);
        dx += step;
        e3 += q * rsqrtf(dx * dx + r);
    }
    int at = y * width + x;
    grid[at] += e0, grid[at + blockDim.x] += e1, grid[at + 2 * blockDim.x] += e2, grid[at + 3 * blockDim.x] += e3;
}

__global__ void integrate(float4 *p, float4 *v, const float4 *f, float dt, float damping, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float4 a = p[i], b = v[i], c = f[i];
        b.x = (b.x + c.x * b.w * dt) * damping, b.y = (b.y + c.y * b.w * dt) * damping, b.z = (b.z + c.z * b.w * dt) * damping;
        a.x += b.x * dt, a.y += b.y * dt, a.z += b.z * dt;
        p[i] = a, v[i] = b;
    }
}
