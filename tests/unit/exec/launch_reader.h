/* launch_reader.h - runs the launch files of tests/validation on a device, for tests: arrays, launches in order, outputs. */
#ifndef WARPLINE_TESTS_LAUNCH_READER_H
#define WARPLINE_TESTS_LAUNCH_READER_H
#include "exec/exec.h"

struct launch_case;
/* Reads NAME.json and NAME.ptx in `folder`, makes the device and fills the arrays. NULL with err. */
struct launch_case *launch_case_open(const char *folder, const char *name, bool fused, struct error *err);
/* Runs every launch functionally; counts are summed. */
bool launch_case_run(struct launch_case *c, struct functional_result *total, struct error *err);
/* An array's bytes after the run (the caller frees them), NULL when there is no such array. */
uint8_t *launch_case_array(struct launch_case *c, const char *name, uint64_t *bytes);
void launch_case_close(struct launch_case *c);
#endif
