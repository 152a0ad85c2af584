/* table_2_3.h - the chip of table 2.3 of paper 002, for tests. */
#ifndef TABLE_2_3_H
#define TABLE_2_3_H
#include "cmp/cmp.h"

static inline struct cmp_machine table_2_3(void)
{
    struct cmp_machine m = { .dram_khz = 800000 };
    struct param_space *space = param_space_new();
    struct error err;
    param_defaults(cmp_params, &m.cmp);
    param_defaults(dram_params, &m.dram);
    param_defaults(address_map_params, &m.map);
    param_space_add(space, "", dram_params, &m.dram);
    param_space_add(space, "", address_map_params, &m.map);
    static const char text[] = "[dram]\nscheduler = fcfs\nfcfs_queue = 64\nranks = 1\nbanks = 8\nbank_groups = 1\nbus_bytes = "
                               "8\nburst = 8\ndata_rate = 2\n"
                               "latency = 0\ncl = 11\nwl = 8\nrcd = 11\nrcd_write = 11\nrp = 11\nras = 28\nrc = 39\nrrd = 5\nrrd_l "
                               "= 5\nccd = 4\nccd_l = 4\n"
                               "cdlr = 6\ncdlr_l = 6\nwr = 12\nrtp = 6\nrtp_l = 0\nturnaround = 1\n"
                               "[map]\nchannels = 1\nslices_per_channel = 1\nbank_bits = 13,14,15\n"
                               "column_bits = 0,1,2,3,4,5,6,7,8,9,10,11,12\nrow_first_bit = 16\nrow_bits = 24\n";
    if (!param_load_text(space, text, "test", &err))
        fail_msg("%s", err.text);
    param_space_free(space);
    return m;
}
#endif
