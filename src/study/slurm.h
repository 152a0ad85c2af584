/* slurm.h - the runs of a batch as an array job on a Slurm cluster.
 *
 * The submitting machine and the compute nodes must see the same files: beside the database lies a folder FILE.slurm with the plan,
 * one folder per study. Each array task runs a chunk of the plan and writes one whole file per finished run; this process merges
 * them into the database as they appear (SQLite over network filesystems is not safe to share, so that no task writes the database
 * itself). A sweep that is killed leaves the array job running; the same command finds it and goes on watching. */
#ifndef WARPLINE_STUDY_SLURM_H
#define WARPLINE_STUDY_SLURM_H
#include "study/batch.h"

struct slurm_options {
    const char *database_path;
    uint32_t chunk;    /* runs per array task; 0: so that there are at most 500 tasks */
    const char *extra; /* further options for sbatch, separated by blanks; NULL: none */
};

bool slurm_run_all(struct database *database, struct batch_run *runs, size_t count, const struct batch_options *options,
                   const struct slurm_options *slurm, struct batch_summary *summary, struct error *err);
/* True when an array job of the study was submitted once: its folder is there. */
bool slurm_was_begun(const char *database_path, const char *study);
/* Cancels the array job of a study; false when there is none to cancel. */
bool slurm_cancel(const char *database_path, const char *study, struct error *err);
/* What an array task does: chunk `task` of the plan in `folder`. */
bool slurm_work(const char *folder, uint64_t task, struct error *err);
#endif
