/* cmd_cc.c - `warpline cc`: hands its arguments to the compiler driver of src/cuda. */
#include "cli/cli.h"
#include "cuda/compile.h"

/* These rows are for help and completion. The compiler reads these flags together with all others. */
struct cc_options {
    const char *toolkit;
};

static const struct option_row cc_rows[] = { OPTION_FILE(struct cc_options, toolkit, "toolkit", "DIR",
                                                         "make the folder DIR, which CMake and Makefiles take for a CUDA toolkit"),
                                             OPTION_END };

static enum exit_code cc_run(const struct command_call *call, struct error *err)
{
    return cuda_compile(call->arguments, call->argument_count, err);
}

const struct command command_cc = {
    .name = "cc",
    .arguments = "FILE.cu... [-o PROGRAM] [COMPILER OPTIONS]",
    .summary = "compile CUDA programs with Debian's clang, without NVIDIA software",
    .details =
        "Compiles .cu files for host and device and links them into a program that carries its kernels as PTX and runs\n"
        "under 'warpline run'. Other sources (.cpp, .c) and objects may be given too.\n"
        "\n"
        "  -o FILE      the program to write (a.out)\n"
        "  -c           stop at the object file\n"
        "  -rdc=true    link device code of several files; -dc is -c with it\n"
        "  -ptx         write the PTX of one .cu file instead of a program\n"
        "  -arch=sm_NN  the virtual architecture (sm_70)\n"
        "  -v           show the compiler's commands\n"
        "\n"
        "Everything else (-I, -D, -O, -std, -l, -g...) goes to clang. Flags of nvcc that have a meaning here are understood.",
    .examples = (const struct command_example[]){ { "warpline cc vadd.cu -o vadd", "compile a program" },
                                                  { "warpline cc -O3 -std=c++17 -Iinclude a.cu b.cpp -o app", "several files" },
                                                  { "warpline cc -ptx vadd.cu -o vadd.ptx", "look at the PTX" },
                                                  { NULL, NULL } },
    .option_sets = (const struct option_set[]){ { cc_rows, 0 }, { NULL, 0 } },
    .options_size = sizeof(struct cc_options),
    .min_arguments = 1,
    .max_arguments = SIZE_MAX,
    .pass_options = true,
    .run = cc_run,
};
