/* embed.c - the public interface of libwarpline, over the same session that the command line uses. */
#include <stdlib.h>

#include "run/result.h"
#include "run/run_ptx.h"
#include "run/session.h"
#include "warpline/warpline.h"

static bool configure(const struct warpline_run *run, struct session_setup *setup, struct error *err)
{
    struct text_list policies = { 0 };
    bool ok = !run->policies || text_list_add_parts(&policies, run->policies);
    if (!ok)
        error_set(err, "policies: '%.100s' has an empty name in it", run->policies);
    ok = ok && session_setup_init(setup, &policies, NULL, err);
    text_list_clear(&policies);
    ok = ok && (!run->config || param_load(setup->space, run->config, err));
    for (const char *const *s = run->settings; ok && s && *s; s++)
        ok = param_set_assignment(setup->space, *s, "settings", err);
    return ok && session_setup_check(setup, err);
}

static char *simulate(const struct warpline_run *run, const struct session_setup *setup, struct error *err)
{
    const struct ptx_run target = { .target = run->ptx, .ptx_path = run->ptx, .launch_path = run->launch };
    const struct session_options options = { .max_cycles = run->max_cycles };
    json_t *result = NULL;
    bool stopped;
    struct text_buffer text = { 0 };
    if (run_ptx(&target, setup, &options, &result, &stopped, err))
        result_write(result, &text);
    json_decref(result);
    return text.text;
}

char *warpline_run_ptx(const struct warpline_run *run, char **error)
{
    struct session_setup setup = { 0 };
    struct error err = { 0 };
    char *text = configure(run, &setup, &err) ? simulate(run, &setup, &err) : NULL;
    session_setup_clear(&setup);
    if (error)
        *error = text ? NULL : must_strdup(err.text);
    return text;
}

void warpline_free(char *text)
{
    free(text);
}
