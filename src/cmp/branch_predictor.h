/* branch_predictor.h - predicts which way branches go. Directions: TAGE (Seznec and Michaud, 2006). Targets of indirect jumps: a
 * table indexed by history (Chang, Hao and Patt, 1997). Targets of calls and returns are always right, as with a deep return
 * stack. */
#ifndef WARPLINE_CMP_BRANCH_PREDICTOR_H
#define WARPLINE_CMP_BRANCH_PREDICTOR_H
#include <stdbool.h>
#include <stdint.h>

struct branch_predictor;
struct branch_predictor *branch_predictor_new(void);
void branch_predictor_free(struct branch_predictor *p);
/* Predicts, learns what happened, and says whether the prediction was right. In program order. */
bool branch_predict_direction(struct branch_predictor *p, uint64_t pc, bool taken);
bool branch_predict_target(struct branch_predictor *p, uint64_t pc, uint64_t target);
#endif
