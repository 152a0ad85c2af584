/* decode.c - the opcode decides which part of the decoder knows the instruction. */
#include "exec/decode.h"

static bool decode_warpwide(struct decoder *d)
{
    static const struct {
        uint16_t op;
        exec_fn fn;
    } executors[] = {
        { OP_SHFL, warpwide_shuffle },      { OP_VOTE, warpwide_vote },    { OP_MATCH, warpwide_match },
        { OP_ACTIVEMASK, warpwide_active }, { OP_REDUX, warpwide_reduce }, { OP_ELECT, warpwide_elect },
    };
    for (size_t i = 0; i < sizeof executors / sizeof *executors; i++)
        if (executors[i].op == d->in->op)
            d->x->fn = executors[i].fn;
    uint8_t width = d->in->op == OP_VOTE ? 4 : d->in->op == OP_MATCH ? register_width(d->in->type[0]) : 4;
    if (!decode_destination(d))
        return false;
    for (uint32_t i = 0; i < d->in->nsrc && i < 4; i++) /* predicates keep their own width; member masks are 32 bits */
        if (!decode_source(d, &d->in->src[i],
                           i == 0 && d->in->op == OP_VOTE && d->in->src[0].kind == OPERAND_IMM ? 0
                           : i == 0                                                            ? width
                                                                                               : 4,
                           &d->x->src[i]))
            return false;
    d->x->source_count = d->in->nsrc;
    return true;
}

bool decode_inst(struct decoder *d)
{
    switch (d->in->op) {
    case OP_SET:
    case OP_SETP: return decode_compare(d);
    case OP_CVT: return decode_convert(d);
    case OP_MOV: return decode_move(d);
    case OP_LD:
    case OP_LDU:
    case OP_ST:
    case OP_ATOM:
    case OP_RED:
    case OP_PREFETCH:
    case OP_PREFETCHU:
    case OP_APPLYPRIORITY:
    case OP_DISCARD:
    case OP_CREATEPOLICY:
    case OP_MBARRIER:
    case OP_CP: return decode_memory(d);
    case OP_TEX:
    case OP_TLD4:
    case OP_TXQ:
    case OP_SULD:
    case OP_SUST:
    case OP_SURED:
    case OP_SUQ: return decode_texture(d);
    case OP_WMMA:
    case OP_MMA:
    case OP_LDMATRIX:
    case OP_STMATRIX:
    case OP_MOVMATRIX: return decode_matrix(d);
    case OP_SHFL:
    case OP_VOTE:
    case OP_MATCH:
    case OP_ACTIVEMASK:
    case OP_REDUX:
    case OP_ELECT: return decode_warpwide(d);
    case OP_BAR:
    case OP_BARRIER:
    case OP_MEMBAR:
    case OP_FENCE:
    case OP_NANOSLEEP:
    case OP_GRIDDEPCONTROL:
    case OP_BRA:
    case OP_BRX:
    case OP_CALL:
    case OP_RET:
    case OP_EXIT:
    case OP_TRAP:
    case OP_BRKPT:
    case OP_PMEVENT: return decode_control(d);
    default: return decode_arithmetic(d);
    }
}
