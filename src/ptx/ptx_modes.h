/* ptx_modes.h - the meaning of ptx_modifiers.mode, .mode2 and .shape, which belong to the opcode, and where the operands of
 * the instructions with a shape of their own are found. Every enum starts at 1: 0 is "not given". */
#ifndef WARPLINE_PTX_PTX_MODES_H
#define WARPLINE_PTX_PTX_MODES_H

/* Operands (dst / src) of the less regular instructions:
 *   ld, ldu       dst[0] register or VECTOR;  src[0] address
 *   st            src[0] address, src[1] value or VECTOR
 *   atom          dst[0] register or SINK; src[0] address, src[1] operand, src[2] cas: new value (src[1]: compared)
 *   red           src[0] address, src[1] operand
 *   tex, tld4     dst[0] VECTOR (or register); src[0] texture (SYMBOL, or REG holding a handle), src[1] sampler or NONE,
 *                 src[2] coordinates (VECTOR or one register); .level: src[3] the level; .grad: src[3], src[4] gradients
 *   txq, suq      dst[0] register; src[0] texture, sampler or surface
 *   suld          dst[0] register or VECTOR; src[0] surface, src[1] coordinates
 *   sust, sured   src[0] surface, src[1] coordinates, src[2] value or VECTOR
 *   call          dst[0] VECTOR of return values (SYMBOL of a .param variable, or REG), NONE if there are none;
 *                 src[0] FUNCTION, or REG for an indirect call; src[1] VECTOR of arguments (SYMBOL, REG, IMM) or NONE;
 *                 src[2] indirect: TABLE (a prototype or a list of targets)
 *   bra           src[0] LABEL;  brx.idx: src[0] index register, src[1] TABLE
 *   bar, barrier  src[0] barrier number (bar.warp.sync: member mask), src[1] thread count or NONE;
 *                 .red: dst[0], src[0], src[1] as before, src[2] predicate
 *   setp          dst[0] p, dst[1] q or NONE; src[2] the predicate combined in when .and/.or/.xor is given
 *   shfl, match.all, elect  dst[1] predicate or NONE; shfl.sync: src[3] member mask
 *   cp.async      src[0] shared address, src[1] global address, src[2] bytes copied, src[3] bytes read (or predicate: ignore)
 *                 or NONE; cp.async.mbarrier.arrive: src[0] address
 *   mbarrier      src[0] address, src[1] arrivals, bytes, token or parity, or NONE; try_wait: src[2] time or NONE; pending_count:
 *                 src[0] token; dst[0] token (or SINK), predicate or count
 *   wmma          load: dst[0] VECTOR, src[0] address, src[1] stride or NONE; store: src[0] address, src[1] VECTOR, src[2] stride
 *                 or NONE; mma: dst[0], src[0..2] VECTORs */

enum ptx_shfl_mode { SHFL_UP = 1, SHFL_DOWN, SHFL_BFLY, SHFL_IDX };
enum ptx_vote_mode { VOTE_ALL = 1, VOTE_ANY, VOTE_UNI, VOTE_BALLOT };
enum ptx_match_mode { MATCH_ANY = 1, MATCH_ALL };
enum ptx_shf_mode { SHF_LEFT = 1, SHF_RIGHT };
enum ptx_clamp_mode { CLAMP_CLAMP = 1, CLAMP_WRAP }; /* mode2 of shf and video shifts; mode of bmsk and szext */
enum ptx_prmt_mode { PRMT_F4E = 1, PRMT_B4E, PRMT_RC8, PRMT_ECL, PRMT_ECR, PRMT_RC16 }; /* 0: selector nibbles */
enum ptx_bar_mode { BAR_SYNC = 1, BAR_ARRIVE, BAR_RED, BAR_WARP_SYNC, BAR_CLUSTER_ARRIVE, BAR_CLUSTER_WAIT };
enum ptx_testp_mode { TESTP_FINITE = 1, TESTP_INFINITE, TESTP_NUMBER, TESTP_NOTANUMBER, TESTP_NORMAL, TESTP_SUBNORMAL };
/* Video: mode: secondary operation; mode2: a mask of VIDEO_* . Scalar: operands carry a selector (enum ptx_select). */
enum ptx_video_mode { VIDEO_ADD = 1, VIDEO_MIN, VIDEO_MAX };
enum ptx_video_flags { VIDEO_SHR7 = 1, VIDEO_SHR15 = 2, VIDEO_PLUS_ONE = 4 }; /* vmad's scale and .po */
enum ptx_cp_mode { CP_ASYNC = 1, CP_COMMIT_GROUP, CP_WAIT_GROUP, CP_WAIT_ALL, CP_MBARRIER_ARRIVE /* mode2: .noinc */ };
enum ptx_mbarrier_mode {
    MBARRIER_INIT = 1,
    MBARRIER_INVAL,
    MBARRIER_ARRIVE,
    MBARRIER_ARRIVE_DROP,
    MBARRIER_TEST,
    MBARRIER_TRY,
    MBARRIER_EXPECT,
    MBARRIER_COMPLETE,
    MBARRIER_COUNT
};
enum ptx_mbarrier_how { MBARRIER_NO_COMPLETE = 1, MBARRIER_EXPECT_TX, MBARRIER_PARITY, MBARRIER_NO_INCREMENT }; /* mode2 */
enum ptx_fence_mode { FENCE_PROXY = 1 }; /* 0: an ordinary fence, its order in `semantics` and `scope` */
enum ptx_griddep_mode { GRIDDEP_LAUNCH_DEPENDENTS = 1, GRIDDEP_WAIT };
enum ptx_prefetch_mode { PREFETCH_L1 = 1, PREFETCH_L2 };

/* wmma: mode: which; mode2: a mask of WMMA_COLUMN_*; shape: the tile. */
enum ptx_wmma_mode { WMMA_LOAD_A = 1, WMMA_LOAD_B, WMMA_LOAD_C, WMMA_STORE_D, WMMA_MMA };
enum ptx_wmma_layout { WMMA_COLUMN_A = 1, WMMA_COLUMN_B = 2 }; /* load and store use WMMA_COLUMN_A for their one matrix */
enum ptx_wmma_shape {
    WMMA_M16N16K16 = 1,
    WMMA_M32N8K16,
    WMMA_M8N32K16,
    WMMA_M16N16K8,
    WMMA_M8N8K4,
    MMA_M16N8K4,
    MMA_M16N8K8,
    MMA_M16N8K16,
    MMA_M16N8K32,
    MMA_M8N8K16,
    MMA_M8N8K4,
    TILE_SHAPES
};
/* ldmatrix, stmatrix, movmatrix: mode2: 1 when transposed; vector: how many matrices of 8 by 8. */

/* Textures and surfaces: mode: geometry; mode2: see each. type[0]: of the result, type[1]: of the coordinates. */
enum ptx_geometry {
    GEOMETRY_1D = 1,
    GEOMETRY_2D,
    GEOMETRY_3D,
    GEOMETRY_A1D,
    GEOMETRY_A2D,
    GEOMETRY_CUBE,
    GEOMETRY_ACUBE,
    GEOMETRY_2DMS,
    GEOMETRY_A2DMS
};
enum ptx_tex_level { TEX_LEVEL = 1, TEX_GRAD, TEX_BASE };                 /* tex, mode2 */
enum ptx_tld4_component { TLD4_R = 1, TLD4_G, TLD4_B, TLD4_A };           /* tld4, mode2 */
enum ptx_surface_clamp { SURFACE_TRAP = 1, SURFACE_CLAMP, SURFACE_ZERO }; /* suld, sust, sured: mode2 */
enum ptx_surface_format { SURFACE_BYTES = 1, SURFACE_FORMATTED };         /* .b and .p: shape */
enum ptx_query {
    QUERY_WIDTH = 1,
    QUERY_HEIGHT,
    QUERY_DEPTH,
    QUERY_CHANNEL_DATA_TYPE,
    QUERY_CHANNEL_ORDER,
    QUERY_NORMALIZED_COORDS,
    QUERY_ARRAY_SIZE,
    QUERY_NUM_MIPMAP_LEVELS,
    QUERY_NUM_SAMPLES,
    QUERY_MEMORY_LAYOUT,
    QUERY_FORCE_UNNORMALIZED_COORDS,
    QUERY_FILTER_MODE,
    QUERY_ADDR_MODE_0,
    QUERY_ADDR_MODE_1,
    QUERY_ADDR_MODE_2
};

enum ptx_scope { SCOPE_NONE, SCOPE_CTA, SCOPE_CLUSTER, SCOPE_GPU, SCOPE_SYS };
enum ptx_semantics {
    SEMANTICS_NONE,
    SEMANTICS_WEAK,
    SEMANTICS_RELAXED,
    SEMANTICS_ACQUIRE,
    SEMANTICS_RELEASE,
    SEMANTICS_ACQ_REL,
    SEMANTICS_SC,
    SEMANTICS_VOLATILE,
    SEMANTICS_MMIO
};

/* ptx_operand.select: the byte or half of a video operand, 0: all of it. Four- and two-lane forms carry their selectors
 * (b3210, h10) packed in `bits`, one nibble per lane from lane 0 up, with select = SELECT_LANES. */
enum ptx_select { SELECT_ALL, SELECT_B0, SELECT_B1, SELECT_B2, SELECT_B3, SELECT_H0, SELECT_H1, SELECT_LANES };
#endif
