/* plugin_fault.c - finds out whose fault it was: for crashes by the stack, for wrong answers by the policy that gave them. */
#include "policy/plugin_fault.h"

#include <execinfo.h>
#include <link.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "policy/hooks.h"
#include "policy/policy_set.h"

enum { FRAMES = 64, OTHERS_STACK_BYTES = 64 << 10 };

static const int crashes[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
enum { CRASHES = sizeof crashes / sizeof crashes[0] };

/* A signal handler can reach nothing but globals (as in base/interrupt.c). */
static struct {
    struct place {
        char path[512];
        uintptr_t first, end; /* first 0: free */
    } place[PLUGINS_MAX];
    char loading[512]; /* empty: none */
    struct sigaction before[CRASHES];
    void (*tell)(void *context, const struct error *fault);
    void *tell_context;
    char stack[OTHERS_STACK_BYTES]; /* for a plug-in that calls itself for ever and has no stack left */
} known;

static const struct place *place_of(uintptr_t address)
{
    for (uint32_t i = 0; i < PLUGINS_MAX; i++)
        if (known.place[i].first && address >= known.place[i].first && address < known.place[i].end)
            return &known.place[i];
    return NULL;
}

struct wanted {
    uintptr_t inside;
    uintptr_t first, end;
};

/* Of one loaded object: its whole span, if the wanted address is in it. */
static int find_span(struct dl_phdr_info *info, size_t size, void *context)
{
    struct wanted *w = context;
    uintptr_t first = UINTPTR_MAX, end = 0;
    (void)size;
    for (uint32_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];
        if (h->p_type != PT_LOAD)
            continue;
        const uintptr_t from = info->dlpi_addr + h->p_vaddr, to = from + h->p_memsz;
        first = from < first ? from : first;
        end = to > end ? to : end;
    }
    if (w->inside < first || w->inside >= end)
        return 0;
    w->first = first;
    w->end = end;
    return 1;
}

void plugin_fault_add(const char *path, const void *inside)
{
    struct wanted w = { .inside = (uintptr_t)inside };
    if (!dl_iterate_phdr(find_span, &w))
        return;
    for (uint32_t i = 0; i < PLUGINS_MAX; i++)
        if (!known.place[i].first) {
            (void)snprintf(known.place[i].path, sizeof known.place[i].path, "%s", path);
            known.place[i].end = w.end;
            known.place[i].first = w.first;
            return;
        }
}

void plugin_fault_remove(const void *inside)
{
    for (uint32_t i = 0; i < PLUGINS_MAX; i++)
        if (known.place[i].first && place_of((uintptr_t)inside) == &known.place[i])
            known.place[i].first = 0;
}

void plugin_fault_loading(const char *path)
{
    (void)snprintf(known.loading, sizeof known.loading, "%s", path);
}

void plugin_fault_loaded(void)
{
    known.loading[0] = 0;
}

void plugin_fault_tell(void (*tell)(void *context, const struct error *fault), void *context)
{
    known.tell = tell;
    known.tell_context = context;
}

static _Noreturn void end_process(const struct error *fault)
{
    char line[sizeof fault->text + 32];
    const int length = snprintf(line, sizeof line, "warpline: %s\n", fault->text);
    (void)!write(STDERR_FILENO, line, (size_t)length);
    if (known.tell)
        known.tell(known.tell_context, fault);
    _exit(CODE_PLUGIN);
}

/* The innermost function of a plug-in on the stack, if there is one. */
static const struct place *place_on_stack(void)
{
    void *frame[FRAMES];
    const int count = backtrace(frame, FRAMES);
    for (int i = 0; i < count; i++) {
        const struct place *place = place_of((uintptr_t)frame[i]);
        if (place)
            return place;
    }
    return NULL;
}

static void on_crash(int number)
{
    struct error fault = { .code = CODE_PLUGIN };
    if (known.loading[0]) {
        (void)snprintf(fault.text, sizeof fault.text,
                       "plug-in %s crashed while it was loaded (%s): the file is cut off, or its own code fails; build it again",
                       known.loading, sigdescr_np(number));
        end_process(&fault);
    }
    const struct place *place = place_on_stack();
    if (place) {
        (void)snprintf(fault.text, sizeof fault.text, "plug-in %s crashed (%s): the fault is the plug-in's, not warpline's",
                       place->path, sigdescr_np(number));
        end_process(&fault);
    }
    for (uint32_t i = 0; i < PLUGINS_MAX && !known.tell; i++) /* in a program's process it may be the program's fault */
        if (known.place[i].first) {                           /* our own code, but perhaps with a pointer from a damaged file */
            char line[sizeof known.place[i].path + 128];
            const int length = snprintf(line, sizeof line, "warpline: crashed (%s) with plug-in %s loaded; without it, too?\n",
                                        sigdescr_np(number), known.place[i].path);
            (void)!write(STDERR_FILENO, line, (size_t)length);
            break;
        }
    /* Not known to be a plug-in's fault: do what would have happened without us. The instruction is tried again, or abort goes on.
     */
    for (uint32_t i = 0; i < CRASHES; i++)
        if (crashes[i] == number)
            (void)sigaction(number, &known.before[i], NULL);
}

void plugin_fault_catch_crashes(void)
{
    void *frame[1];
    (void)backtrace(frame, 1); /* the first call loads what it needs, which must not happen in a handler */
    const stack_t stack = { .ss_sp = known.stack, .ss_size = sizeof known.stack };
    (void)sigaltstack(&stack, NULL);
    const struct sigaction action = { .sa_handler = on_crash, .sa_flags = SA_ONSTACK | SA_NODEFER };
    for (uint32_t i = 0; i < CRASHES; i++) {
        struct sigaction before;
        (void)sigaction(crashes[i], &action, &before);
        if (before.sa_handler != on_crash)
            known.before[i] = before;
    }
}

void hooks_wrong_answer(const struct policy_self *self, const char *hook, const char *format, ...)
{
    char what[512];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(what, sizeof what, format, args);
    va_end(args);
    const struct place *place = place_of((uintptr_t)self->policy);
    if (!place)
        panic("policy %s: %s %s", self->policy->name, hook, what);
    struct error fault = { .code = CODE_PLUGIN };
    (void)snprintf(fault.text, sizeof fault.text,
                   "plug-in %.300s: policy '%.60s': %.40s %.500s: the fault is the plug-in's, not warpline's", place->path,
                   self->policy->name, hook, what);
    error_escape_if_any(&fault);
    (void)fflush(stdout);
    end_process(&fault);
}
