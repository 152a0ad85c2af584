#include "study/run_trace.h"

#include <time.h>

#include "base/interrupt.h"
#include "study/result.h"
#include "trace/wlt.h"

bool run_trace_recognises(const char *path) { return wlt_recognise(path); }

static double seconds_now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static bool run_event(struct wlt_reader *reader, uint64_t index, struct session *session, struct result_builder *builder,
                      bool *complete, struct error *err)
{
    const struct wlt_event event = wlt_reader_event(reader, index);
    if (!event.is_kernel) {
        session_host_wrote(session, event.address, event.bytes);
        return true;
    }
    struct front *front = wlt_reader_launch(reader, index, err);
    if (!front)
        return false;
    struct kernel_result kernel = { 0 };
    const bool ok = session_run(session, front, &kernel, err);
    if (kernel.name)
        result_builder_add(builder, &kernel);
    *complete = kernel.complete;
    kernel_result_clear(&kernel);
    return ok;
}

static bool run_events(struct wlt_reader *reader, struct session *session, struct result_builder *builder, bool *stopped,
                       struct error *err)
{
    bool complete = true;
    for (uint64_t i = 0; i < wlt_reader_event_count(reader) && complete; i++)
        if (!run_event(reader, i, session, builder, &complete, err))
            return false;
    *stopped = !complete;
    return true;
}

bool run_trace(const char *path, const struct session_setup *setup, const struct session_options *options, json_t **result,
               bool *stopped, struct error *err)
{
    *result = NULL;
    *stopped = false;
    if (options->functional)
        return error_set_code(err, CODE_USAGE, "a trace holds no values to compute: --functional is for programs and PTX");
    struct wlt_reader *reader = wlt_reader_open(path, err);
    if (!reader)
        return false;
    struct session *session = session_new(setup, options, interrupt_catch(), 0, 0, err);
    bool ok = session != NULL;
    if (ok) {
        const double begin = seconds_now();
        struct result_run shape = { .target = path, .policies = &setup->policy_names, .space = setup->space };
        shape.groups = session_stat_groups(session, &shape.group_count);
        struct result_builder *builder = result_builder_new(&shape);
        ok = run_events(reader, session, builder, stopped, err);
        *result = result_builder_finish(builder);
        result_set_host(*result, seconds_now() - begin, 1);
    }
    session_free(session);
    wlt_reader_free(reader);
    return ok;
}
