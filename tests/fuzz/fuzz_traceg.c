/* Accel-Sim's kernel files: any bytes run or are refused in a sentence with file and line, packed or not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz_replay.h"
#include "trace/accelsim.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char folder[] = P_tmpdir "/fuzz-traceg-XXXXXX", path[64];
    require(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/k.traceg", folder);
    FILE *file = fopen(path, "wb");
    require(file && fwrite(data, 1, size, file) == size && fclose(file) == 0);
    const struct accelsim_options options = { .unknown_as_alu = size % 2, .code_room = 256 };
    struct error err = { 0 };
    struct accelsim_list *list = accelsim_open(path, &options, &err);
    require(list);
    struct front *front = accelsim_launch(list, 0, &err);
    bool ok = front != NULL;
    for (uint32_t c = 0; ok && c < front->launch.cta_count && c < CTAS_MAX; c++) {
        struct front_cta *cta = front->ops->cta_start(front, c, &err);
        ok = cta && step_all(front, cta, &err);
        if (cta)
            front->ops->cta_end(front, cta);
    }
    if (front)
        front->ops->destroy(front);
    require(ok || (err.code == CODE_INPUT && strstr(err.text, "k.traceg:")));
    accelsim_free(list);
    (void)unlink(path);
    (void)rmdir(folder);
    return 0;
}
