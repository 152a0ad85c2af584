/* error.h - the one way to report what went wrong.
 *
 * The user's fault travels up as a `struct error`: a function that can fail takes one as its last argument, fills it with
 * one sentence (where: what; what to do) and returns false or NULL. The CLI prints the sentence and exits with the code.
 * Our own fault is a `panic`: it prints where, and aborts. */
#ifndef WARPLINE_BASE_ERROR_H
#define WARPLINE_BASE_ERROR_H
#include <setjmp.h>
#include <stdbool.h>

enum exit_code {
    CODE_OK = 0,       /* done */
    CODE_PROGRAM = 1,  /* the program under simulation failed */
    CODE_USAGE = 2,    /* the command line is wrong */
    CODE_INPUT = 3,    /* a file, parameter or kernel is wrong */
    CODE_INTERNAL = 4, /* warpline is wrong */
    CODE_PLUGIN = 5    /* a plug-in crashed, or gave an answer that is not allowed (policy/plugin_fault.h) */
};

/* What a kernel did wrong, for callers that must name it in another interface's words (CUDA's error codes). */
enum fault_kind {
    FAULT_NONE,       /* not a kernel's fault */
    FAULT_ADDRESS,    /* memory that is not its own */
    FAULT_MISALIGNED, /* an address that is not aligned for its access */
    FAULT_ASSERT,
    FAULT_OTHER /* a trap, a barrier that cannot open, a call into nowhere... */
};

struct error {
    enum exit_code code;
    enum fault_kind fault;
    char text[1024];
};

/* Writes the sentence with CODE_INPUT (or the code given) and returns false, so that callers can `return error_set(...)`.
 * `e` may be NULL when the caller does not care. An error already set is replaced. */
bool error_set(struct error *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool error_set_code(struct error *e, enum exit_code code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The same for a kernel's fault; the code is CODE_PROGRAM. */
bool error_set_fault(struct error *e, enum fault_kind fault, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* For broken invariants of warpline itself. */
_Noreturn void panic_at(const char *file, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));
#define panic(...) panic_at(__FILE__, __LINE__, __VA_ARGS__)

/* Running out of memory and a panic end the process, unless the thread has set a place to continue from. The library's callers have
 * one (src/embed), since their process is not ours to end. What the broken-off work had allocated is lost then.
 *
 *     struct error_escape escape;
 *     error_escape_enter(&escape);
 *     if (setjmp(escape.place) == 0)
 *         work();
 *     else
 *         say(escape.text);
 *     error_escape_leave(&escape);
 */
struct error_escape {
    jmp_buf place;
    char text[1024];
    struct error_escape *outer;
};
void error_escape_enter(struct error_escape *escape);
void error_escape_leave(struct error_escape *escape);
void error_escape_if_any(const struct error *e); /* continues there with the sentence, if the thread has set such a place */

/* A condition that is mostly false. The compiler puts what it guards behind the function's usual path, out of the host's
 * instruction cache. */
#define seldom(x) __builtin_expect((x) != 0, 0)

/* Invariant that a release build checks too. `require(x)` costs a predicted branch: keep it out of inner loops, where
 * `assert` (debug builds only) belongs. */
#define require(x) ((x) ? (void)0 : panic("broken invariant: %s", #x))

/* malloc/calloc/realloc that never return NULL: out of memory ends the program with a sentence and CODE_INTERNAL, or escapes. */
void *must_calloc(unsigned long count, unsigned long size);
/* Aligned to a cache line of the host, so that each element of an array lies in as few lines as possible. */
enum { HOST_LINE_BYTES = 64 };
void *must_calloc_aligned(unsigned long count, unsigned long size);
void *must_realloc(void *old, unsigned long size);
char *must_strdup(const char *text);
#endif
