/* run_trace.c - runs a recorded trace, our own or Accel-Sim's: kernels and host copies in the order in which they happened. */
#include "run/run_trace.h"

#include "base/log.h"
#include "base/seconds.h"
#include "gpu/machine.h"
#include "run/recording.h"
#include "run/result.h"
#include "trace/accelsim.h"
#include "trace/wlt.h"

/* Our own trace or Accel-Sim's: the other is NULL. */
struct trace {
    struct wlt_reader *own;
    struct accelsim_list *accelsim;
};

bool run_trace_recognises(const char *path)
{
    return wlt_recognise(path) || accelsim_recognise(path);
}

static bool trace_open(struct trace *t, const char *path, const struct session_setup *setup, const struct session_options *options,
                       struct error *err)
{
    const struct accelsim_options accelsim = { .unknown_as_alu = options->unknown_as_alu,
                                               .as_listed = setup->machine && setup->machine->reference.as_listed,
                                               .interrupted = options->interrupted };
    *t = (struct trace){ 0 };
    if (accelsim_recognise(path) && !wlt_recognise(path))
        t->accelsim = accelsim_open(path, &accelsim, err);
    else
        t->own = wlt_reader_open(path, err);
    return t->own || t->accelsim;
}

static void say(void *context, const char *text)
{
    (void)context;
    log_note("%s", text);
}

static void trace_close(struct trace *t)
{
    if (t->accelsim)
        accelsim_report(t->accelsim, say, NULL);
    accelsim_free(t->accelsim);
    wlt_reader_free(t->own);
}

static uint64_t trace_events(const struct trace *t)
{
    return t->own ? wlt_reader_event_count(t->own) : accelsim_event_count(t->accelsim);
}

static struct wlt_event trace_event(const struct trace *t, uint64_t index)
{
    if (t->own)
        return wlt_reader_event(t->own, index);
    const struct accelsim_event event = accelsim_event(t->accelsim, index);
    return (struct wlt_event){ event.is_kernel, event.address, event.bytes };
}

static bool run_event(struct trace *trace, uint64_t index, struct session *session, struct result_builder *builder, bool *complete,
                      struct error *err)
{
    const struct wlt_event event = trace_event(trace, index);
    if (!event.is_kernel) {
        session_host_copied(session, HOST_COPY_IN, event.address, event.bytes);
        return true;
    }
    struct front *front = trace->own ? wlt_reader_launch(trace->own, index, err) : accelsim_launch(trace->accelsim, index, err);
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

static bool run_events(struct trace *trace, struct session *session, struct result_builder *builder, bool *stopped,
                       struct error *err)
{
    bool complete = true;
    for (uint64_t i = 0; i < trace_events(trace) && complete; i++)
        if (!run_event(trace, i, session, builder, &complete, err))
            return false;
    *stopped = !complete;
    return true;
}

/* A recording with values needs a trace that has them. */
static bool has_values(const struct trace *t)
{
    struct wlt_totals totals = { 0 };
    if (t->own)
        wlt_reader_totals(t->own, &totals);
    return totals.has_data;
}

bool run_trace(const char *path, const struct session_setup *setup, const struct session_options *options, json_t **result,
               bool *stopped, struct error *err)
{
    *result = NULL;
    *stopped = false;
    if (options->functional)
        return error_set_code(err, CODE_USAGE, "a trace holds no values to compute: --functional is for programs and PTX");
    struct trace trace;
    if (!trace_open(&trace, path, setup, options, err))
        return false;
    if (options->record_path[0] && options->record_data && !has_values(&trace)) {
        trace_close(&trace);
        return error_set_code(err, CODE_USAGE,
                              "--data: %.300s holds no values; leave --data out, or record its program with --data", path);
    }
    struct session *session = session_new(setup, options, 0, 0, err);
    bool ok = false;
    struct wlt_writer *writer = session ? recording_open(options, path, &ok, err) : NULL;
    if (ok) {
        const double begin = seconds_now();
        struct result_run shape = { .target = path, .policies = &setup->policy_names, .space = setup->space };
        shape.groups = session_stat_groups(session, &shape.group_count);
        struct result_builder *builder = result_builder_new(&shape);
        result_builder_structures(builder, session_structures(setup));
        session_record(session, writer);
        ok = run_events(&trace, session, builder, stopped, err);
        const uint32_t threads = result_builder_threads(builder);
        *result = result_builder_finish(builder);
        result_set_host(*result, seconds_now() - begin, threads);
    }
    struct error second; /* nothing is said of a failed run's recording */
    if (writer)
        ok &= wlt_writer_finish(writer, NULL, ok ? err : &second);
    session_free(session);
    trace_close(&trace);
    return ok;
}
