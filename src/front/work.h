/* work.h - what kind of work an instruction is, for its energy; finer than its class, which is for its time. */
#ifndef WARPLINE_FRONT_WORK_H
#define WARPLINE_FRONT_WORK_H
#include "front/inst.h"

enum inst_work {
#define WORK(id, name, help) WORK_##id,
#include "front/work.def"
#undef WORK
    WORK_COUNT
};

/* The work of an instruction of which only the class is known. */
enum inst_work work_of_class(enum inst_class class);
#endif
