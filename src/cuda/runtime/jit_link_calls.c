/* jit_link_calls.c - nvJitLink: texts of PTX put one behind the other. cuModuleLoadData() takes them apart and links them by name.
 */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "nvJitLink.h"
#include "runtime.h"

struct nvJitLink {
    struct text_buffer texts;
    bool is_complete;
};

nvJitLinkResult nvJitLinkVersion(unsigned int *major, unsigned int *minor)
{
    *major = 12;
    *minor = 0;
    return NVJITLINK_SUCCESS;
}
/* The options say for which machine and how well; neither changes what PTX is. */
nvJitLinkResult nvJitLinkCreate(nvJitLinkHandle *link, uint32_t count, const char **options)
{
    bool has_arch = false;
    for (uint32_t i = 0; i < count; i++)
        has_arch |= strncmp(options[i], "-arch=", 6) == 0;
    *link = NULL;
    if (!has_arch)
        return NVJITLINK_ERROR_MISSING_ARCH;
    *link = must_calloc(1, sizeof **link);
    return NVJITLINK_SUCCESS;
}
nvJitLinkResult nvJitLinkDestroy(nvJitLinkHandle *link)
{
    if (!link || !*link)
        return NVJITLINK_ERROR_INVALID_INPUT;
    text_buffer_clear(&(*link)->texts);
    free(*link);
    *link = NULL;
    return NVJITLINK_SUCCESS;
}
nvJitLinkResult nvJitLinkAddData(nvJitLinkHandle link, nvJitLinkInputType type, const void *data, size_t bytes, const char *name)
{
    (void)name;
    const size_t length = data ? strnlen(data, bytes) : 0;
    if (!link || link->is_complete || length == 0)
        return NVJITLINK_ERROR_INVALID_INPUT;
    if ((type != NVJITLINK_INPUT_PTX && type != NVJITLINK_INPUT_LTOIR && type != NVJITLINK_INPUT_ANY) ||
        !memmem(data, length, ".version", 8))
        return NVJITLINK_ERROR_UNRECOGNIZED_INPUT;
    text_append(&link->texts, "%s%.*s", link->texts.text ? NEXT_LINKED_TEXT : "", (int)length, (const char *)data);
    return NVJITLINK_SUCCESS;
}
nvJitLinkResult nvJitLinkComplete(nvJitLinkHandle link)
{
    if (!link || !link->texts.text)
        return NVJITLINK_ERROR_INVALID_INPUT;
    link->is_complete = true;
    return NVJITLINK_SUCCESS;
}
nvJitLinkResult nvJitLinkGetLinkedCubinSize(nvJitLinkHandle link, size_t *bytes)
{
    if (!link || !link->is_complete)
        return NVJITLINK_ERROR_INVALID_INPUT;
    *bytes = strlen(link->texts.text) + 1;
    return NVJITLINK_SUCCESS;
}
nvJitLinkResult nvJitLinkGetLinkedCubin(nvJitLinkHandle link, void *code)
{
    if (!link || !link->is_complete)
        return NVJITLINK_ERROR_INVALID_INPUT;
    memcpy(code, link->texts.text, strlen(link->texts.text) + 1);
    return NVJITLINK_SUCCESS;
}
/* Nothing is said in the logs. */
nvJitLinkResult nvJitLinkGetErrorLogSize(nvJitLinkHandle link, size_t *bytes)
{
    (void)link;
    *bytes = 0;
    return NVJITLINK_SUCCESS;
}
nvJitLinkResult nvJitLinkGetErrorLog(nvJitLinkHandle link, char *log)
{
    (void)link;
    (void)log;
    return NVJITLINK_SUCCESS;
}
nvJitLinkResult nvJitLinkGetInfoLogSize(nvJitLinkHandle link, size_t *bytes)
{
    return nvJitLinkGetErrorLogSize(link, bytes);
}
nvJitLinkResult nvJitLinkGetInfoLog(nvJitLinkHandle link, char *log)
{
    return nvJitLinkGetErrorLog(link, log);
}
