/* error_calls.c - cudaGetLastError and the names of errors. */
#include "runtime.h"

static const struct error_row {
    cudaError_t code;
    const char *name, *text;
} error_rows[] = {
#define CUDA_ERROR(name, number, text) { name, #name, text },
#include "cuda_errors.def"
#undef CUDA_ERROR
};
enum { ERROR_ROWS = sizeof error_rows / sizeof error_rows[0] };

static const struct error_row *find_error(cudaError_t code)
{
    for (size_t i = 0; i < ERROR_ROWS; i++)
        if (error_rows[i].code == code)
            return &error_rows[i];
    return NULL;
}

cudaError_t cudaGetLastError(void)
{
    struct runtime *r = runtime_enter();
    const cudaError_t code = runtime_thread()->last_error;
    runtime_thread()->last_error = r->sticky; /* a broken context stays broken; other errors are reported once */
    (void)runtime_leave(cudaSuccess);
    return code;
}

cudaError_t cudaPeekAtLastError(void)
{
    return runtime_thread()->last_error;
}

const char *cudaGetErrorName(cudaError_t code)
{
    const struct error_row *row = find_error(code);
    return row ? row->name : "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t code)
{
    const struct error_row *row = find_error(code);
    return row ? row->text : "unrecognized error code";
}
