/* race.h - accesses of two threads to the same bytes with nothing between that orders them; see race.c. */
#ifndef WARPLINE_EXEC_RACE_H
#define WARPLINE_EXEC_RACE_H
#include "exec/engine.h"

struct race_detector *race_detector_new(const struct run *run);
void race_detector_free(struct race_detector *detector);
/* What the lanes have just resolved: run->space, run->address. */
void race_note(struct warp *w, const struct xop *x, uint32_t mask, uint32_t bytes, bool write);
#endif
