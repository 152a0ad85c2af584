/* import.h - configurations of GPGPU-Sim and Accel-Sim, made into configurations of ours.
 *
 * An option of theirs is either turned into parameters, or known to have no bearing on cycles, or must have the one value that is
 * modelled here. Anything else is an error that names the file and the line: a machine is never imported in part. An option that
 * the files leave out has the default that it has there, which need not be ours. */
#ifndef WARPLINE_IMPORT_IMPORT_H
#define WARPLINE_IMPORT_IMPORT_H
#include "base/text.h"

struct import_result {
    struct text_buffer config; /* the text of a configuration, with the option behind each setting as a comment */
    char policies[64];         /* for --policy: the scheduler */
};

/* `paths`: gpgpusim.config and, for Accel-Sim, its trace.config. The file of the network that they name is looked for beside them.
 * `exact`: with what is true of the simulator and of no GPU, so that cycles are its own. The caller clears result->config. */
bool import_gpgpusim(const struct text_list *paths, bool exact, struct import_result *result, struct error *err);
#endif
