// main - the program that scripts/validate-hardware.py runs: one of the measured kernels, launched a few times on one size.
#include "measured.h"

struct Row {
    const char *name;
    bool (*run)(const measured::Arguments &a);
    int multiple; // that a size must be of
};

static const Row ROWS[] = {
    {"vector_add", measured::vector_add, 1},
    {"vector_add_divergent", measured::vector_add_divergent, 1},
    {"saxpy", measured::saxpy, 1},
    {"strided_copy_8", measured::strided_copy_8, 8},
    {"random_access", measured::random_access, 1},
    {"reduce_sum", measured::reduce_sum, 512},
    {"dot_product", measured::dot_product, 512},
    {"histogram", measured::histogram, 1},
    {"atomic_hotspot", measured::atomic_hotspot, 256},
    {"atomic_hotspot_by_lane", measured::atomic_hotspot_by_lane, 256},
    {"naive_transpose", measured::naive_transpose, 1},
    {"shared_transpose", measured::shared_transpose, 1},
    {"conv2d_3x3", measured::conv2d_3x3, 1},
    {"conv2d_7x7", measured::conv2d_7x7, 1},
    {"matmul_naive", measured::matmul_naive, 1},
    {"matmul_tiled", measured::matmul_tiled, 32},
};

static int usage()
{
    std::fprintf(stderr, "usage: hardware KERNEL SIZE [--rounds N] [--launches N] [--data zeros|random]\nkernels:");
    for (const Row &row : ROWS)
        std::fprintf(stderr, " %s", row.name);
    std::fprintf(stderr, "\n");
    return 2;
}

int main(int argc, char **argv)
{
    if (argc < 3 || argc % 2 == 0)
        return usage();
    measured::Arguments a = {argv[1], std::atoi(argv[2]), 50, 2, false};
    for (int i = 3; i < argc; i += 2) {
        const std::string name = argv[i], value = argv[i + 1];
        if (name == "--rounds")
            a.rounds = std::atoi(value.c_str());
        else if (name == "--launches")
            a.launches = std::atoi(value.c_str());
        else if (name == "--data" && (value == "zeros" || value == "random"))
            a.random = value == "random";
        else
            return usage();
    }
    for (const Row &row : ROWS) {
        if (std::strcmp(row.name, a.kernel))
            continue;
        if (a.size < 1 || a.size % row.multiple || a.rounds < 1 || a.launches < 1)
            return usage();
        const bool right = row.run(a);
        std::printf("%s of %d: %s\n", a.kernel, a.size, right ? "right" : "WRONG");
        return right ? 0 : 1;
    }
    return usage();
}
