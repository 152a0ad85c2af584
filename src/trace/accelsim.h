/* accelsim.h - reads the traces that Accel-Sim's tracer makes (kernelslist.g and .traceg files, docs/traces.md).
 *
 * Texts are read as the machine asks for thread blocks, in the file's order, which is the order of dispatch; what a CTA executed is
 * kept encoded (wlt_format.h) while it runs. Memory does not grow with the file. */
#ifndef WARPLINE_TRACE_ACCELSIM_H
#define WARPLINE_TRACE_ACCELSIM_H
#include "base/error.h"
#include "front/front.h"

/* What real files do beyond the format, and lines that do not concern us. Counted and reported, never silent. */
enum accelsim_oddity {
    ODD_LIST_LINES,     /* lines of the list that are neither a copy to the device nor a kernel */
    ODD_LONG_ADDRESSES, /* more addresses than lanes in the mask: the list was made before predication */
    ODD_NO_ADDRESSES,   /* memory instructions without addresses, taken as moves */
    ODD_SAME_PC,        /* an address of code with several instructions: functions that were traced by their own offsets */
    ODD_REGISTERS,      /* headers with an impossible count of registers, clamped to 255 */
    ODD_CLUSTER_LINES,  /* thread block clusters are not modelled */
    ODD_UNKNOWN_KEYS,   /* header lines with a key that we do not know */
    ODD_WIDTHS,         /* memory instructions whose width differs from their opcode's; the opcode's is taken */
    ODD_BARRIERS,       /* barriers of part of a CTA, whose number the tracer does not keep */
    ODD_EXTRA_BLOCKS,   /* thread blocks beyond the grid */
    ODD_COUNT
};

struct accelsim_options {
    bool unknown_as_alu; /* opcodes that are not in the table issue like a move; else they are an error */
    /* Instructions are what their lines say and no more, as Accel-Sim reads them: a result has one register, whatever its width,
     * every barrier is the same one of the whole block and is waited for, and a table of ours in the header is passed over. */
    bool as_listed;
    const volatile int *interrupted; /* polled while a file is read; NULL: never */
    uint32_t code_room;              /* instructions that a kernel can have; 0: 262144, four megabytes of SASS */
};

struct accelsim_list;
bool accelsim_recognise(const char *path);
struct accelsim_list *accelsim_open(const char *path, const struct accelsim_options *options, struct error *err);
void accelsim_free(struct accelsim_list *list);

struct accelsim_event {
    bool is_kernel;
    uint64_t address, bytes;
};
uint64_t accelsim_event_count(const struct accelsim_list *list);
struct accelsim_event accelsim_event(const struct accelsim_list *list, uint64_t index);
const char *accelsim_event_path(const struct accelsim_list *list, uint64_t index); /* of a kernel's file */
/* One kernel at a time: destroy it before the next. */
struct front *accelsim_launch(struct accelsim_list *list, uint64_t index, struct error *err);

/* Calls `line` for each oddity that occurred and each unknown opcode, with a sentence. */
void accelsim_report(const struct accelsim_list *list, void (*line)(void *context, const char *text), void *context);
uint64_t accelsim_instruction_lines(const struct accelsim_list *list); /* read so far */
#endif
