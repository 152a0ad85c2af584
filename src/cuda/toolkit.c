/* toolkit.c - a folder that build systems take for a CUDA toolkit, with warpline as its nvcc. */
#include "cuda/toolkit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool make_folder(const char *root, const char *name, struct error *err)
{
    char path[2 * PATH_MAX];
    (void)snprintf(path, sizeof path, "%s%s", root, name);
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return true;
    return error_set(err, "cannot make the folder %s: %s", path, strerror(errno));
}

static bool make_link(const char *root, const char *name, const char *target, struct error *err)
{
    char path[2 * PATH_MAX], there[PATH_MAX];
    (void)snprintf(path, sizeof path, "%s%s", root, name);
    const ssize_t length = readlink(path, there, sizeof there - 1);
    if (length >= 0 && unlink(path) != 0)
        return error_set(err, "cannot replace %s: %s", path, strerror(errno));
    if (symlink(target, path) == 0)
        return true;
    return error_set(err, "cannot make %s: %s", path, strerror(errno));
}

/* The first bytes of a file that we made tell it from one of NVIDIA's, which must stay. An archive without members is ours. */
static bool make_file(const char *root, const char *name, const char *text, mode_t mode, struct error *err)
{
    char path[2 * PATH_MAX], start[8] = "";
    (void)snprintf(path, sizeof path, "%s%s", root, name);
    FILE *file = fopen(path, "r");
    if (file) {
        const size_t n = fread(start, 1, sizeof start, file);
        const bool empty_archive = n == sizeof start && memcmp(start, "!<arch>\n", n) == 0 && fgetc(file) == EOF;
        (void)fclose(file);
        if (memcmp(start, text, n) != 0 && !empty_archive)
            return error_set(err, "%s is there and was not made by warpline: name another folder", path);
    }
    file = fopen(path, "w");
    const bool ok = file && fputs(text, file) >= 0;
    if (!file || fclose(file) != 0 || !ok || chmod(path, mode) != 0)
        return error_set(err, "cannot write %s: %s", path, strerror(errno));
    return true;
}

static bool make_compiler(const char *root, char self[PATH_MAX], struct error *err)
{
    char text[3 * PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", self, PATH_MAX - 1);
    if (length <= 0)
        return error_set_code(err, CODE_INTERNAL, "cannot tell where the warpline binary lies: /proc is not there");
    self[length] = 0;
    (void)snprintf(text, sizeof text, "#!/bin/sh\nexec '%s' cc --as-nvcc='%s' \"$@\"\n", self, root);
    return make_file(root, "/bin/nvcc", text, 0755, err);
}

/* Libraries that programs name but that hold nothing here are empty archives, and so are those that compile_library() fills. The
 * static runtime, the driver's library and NVRTC are a line for the linker, since their calls are the runtime's here. */
static bool make_libraries(const struct job *job, const char *root, struct error *err)
{
    static const char *const runtimes[][2] = { { "/lib64/libcudart.so", "libcudart.so.13" },
                                               { "/lib64/libcudart.so.13", "libcudart.so.13" },
                                               { "/lib64/libcudart.so.12", "libcudart.so.12" },
                                               { "/lib64/libcudart.so.11.0", "libcudart.so.11.0" } };
    static const char *const empty[] = { "/lib64/libcudadevrt.a", "/lib64/libcurand.a",    "/lib64/libcublas.a",
                                         "/lib64/libcublasLt.a",  "/lib64/libcufft.a",     "/lib64/libcusparse.a",
                                         "/lib64/libcusolver.a",  "/lib64/libnvToolsExt.a" };
    static const char *const runtime_names[] = { "/lib64/libcudart_static.a", "/lib64/libcuda.a", "/lib64/libnvrtc.a",
                                                 "/lib64/libnvJitLink.a" };
    char text[2 * PATH_MAX];
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof runtimes / sizeof *runtimes; i++) {
        (void)snprintf(text, sizeof text, "%s/%s", job->places.library_dir, runtimes[i][1]);
        ok = make_link(root, runtimes[i][0], text, err);
    }
    for (size_t i = 0; ok && i < sizeof empty / sizeof *empty; i++)
        ok = make_file(root, empty[i], "!<arch>\n", 0644, err);
    (void)snprintf(text, sizeof text, "INPUT(%s/libcudart.so.13)\n", job->places.library_dir);
    for (size_t i = 0; ok && i < sizeof runtime_names / sizeof *runtime_names; i++)
        ok = make_file(root, runtime_names[i], text, 0644, err);
    return ok && make_link(root, "/lib", "lib64", err);
}

/* cuBLAS and its like are kernels in headers; host code that another compiler makes needs them as libraries. */
static bool compile_library(const struct job *job, const char *self, const char *root, const char *name, struct error *err)
{
    char source[2 * PATH_MAX], object[2 * PATH_MAX], archive[2 * PATH_MAX];
    (void)snprintf(source, sizeof source, "%s/bits/%s_library.cu", job->places.include_dir, name);
    (void)snprintf(object, sizeof object, "%s/lib64/%s.o", root, name);
    (void)snprintf(archive, sizeof archive, "%s/lib64/lib%s.a", root, name);
    struct words compile = { 0 }, pack = { 0 };
    words_add_list(&compile, (const char *const[]){ self, "cc", "-O2", "-c", source, "-o", object, NULL });
    words_add_list(&pack, (const char *const[]){ "ar", "rcs", archive, object, NULL });
    const bool ok = words_run(&compile, job->verbose, err) && words_run(&pack, job->verbose, err);
    (void)unlink(object);
    return ok;
}

bool toolkit_make(const struct job *job, const char *folder, struct error *err)
{
    static const char *const folders[] = { "/bin", "/lib64", "/nvvm", "/nvvm/libdevice" };
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return error_set(err, "cannot make the folder %s: %s", folder, strerror(errno));
    char root[PATH_MAX], self[PATH_MAX];
    if (!realpath(folder, root))
        return error_set(err, "%s: %s", folder, strerror(errno));
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof folders / sizeof *folders; i++)
        ok = make_folder(root, folders[i], err);
    ok = ok && make_compiler(root, self, err) && make_link(root, "/include", job->places.include_dir, err) &&
         make_libraries(job, root, err);
    static const char *const libraries[] = { "cublas", "cufft", "cusparse", "cusolver" };
    for (size_t i = 0; ok && i < sizeof libraries / sizeof *libraries; i++)
        ok = compile_library(job, self, root, libraries[i], err);
    return ok;
}

/* CMake knows nvcc by its first sentence and the toolkit by the number after V. */
void toolkit_say_version(const struct job *job)
{
    (void)printf("warpline cc, in the place of nvcc: NVIDIA (R) Cuda compiler driver is what build systems look for here.\n"
                 "Cuda compilation tools, release 12.0, V12.0.0\nCompiles with %s; its programs run under warpline.\n",
                 job->clang);
}

/* The last line is the link as CMake is to do it, by this compiler again: it must hold the text after LIBRARIES=. */
void toolkit_say_places(const struct job *job)
{
    const char *root = job->toolkit;
    const char *path = getenv("PATH");
    const char *digits = job->arch ? strpbrk(job->arch, "0123456789") : NULL;
    (void)fprintf(stderr, "#$ TOP=%s\n#$ NVVMIR_LIBRARY_DIR=%s/nvvm/libdevice\n#$ PATH=%s/bin:%s\n", root, root, root,
                  path ? path : "");
    (void)fprintf(stderr, "#$ INCLUDES=-I%s/include\n#$ LIBRARIES=-L%s/lib64\n", root, root);
    (void)fprintf(stderr, "#$ clang -arch compute_%s\n", digits ? digits : "70");
    if (job->dry_run) /* the link as nvcc writes it: SHOC takes the libraries from behind the program's name */
        (void)fprintf(
            stderr,
            "#$ g++ -o \"%s\" -Wl,--start-group \"a.o\" \"-L%s/lib64\" -lcudadevrt -lcudart -lrt -lpthread -ldl -Wl,--end-group\n",
            job->output ? job->output : "a.out", root);
    else
        (void)fprintf(stderr, "#$ %s/bin/nvcc -o %s -L%s/lib64 -lcudadevrt -lcudart\n", root, job->output ? job->output : "a.out",
                      root);
}
