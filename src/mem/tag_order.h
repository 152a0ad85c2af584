/* tag_order.h - how a tag array with many ways finds a line, and its oldest line, without looking at all of them.
 *
 * It keeps a hash from block to line and, for each set, two lists of its lines from oldest to newest and the free ones, a bit each.
 * A line is in the first list until it is moved. The tags themselves (`block`, one per line) belong to the tag array. */
#ifndef WARPLINE_MEM_TAG_ORDER_H
#define WARPLINE_MEM_TAG_ORDER_H
#include <stdint.h>

struct tag_order;
struct tag_order *tag_order_new(uint32_t sets, uint32_t ways);
void tag_order_free(struct tag_order *o);
/* Each of these answers TAG_NO_LINE (UINT32_MAX) when there is none; of two lines with the block, the first is found. */
uint32_t tag_order_find(const struct tag_order *o, const uint64_t *block, uint64_t wanted);
uint32_t tag_order_peek_free(const struct tag_order *o, uint32_t set);
uint32_t tag_order_oldest(const struct tag_order *o, uint32_t set, uint32_t list);
uint32_t tag_order_newest(const struct tag_order *o, uint32_t set, uint32_t list);
uint32_t tag_order_newer(const struct tag_order *o, uint32_t line);
uint32_t tag_order_older(const struct tag_order *o, uint32_t line);
/* The line holds block[line] now, as the newest of its set; it was the free line that peek_free names. */
void tag_order_insert(struct tag_order *o, const uint64_t *block, uint32_t line);
/* The same for any free line of the set, put after the line `older` (TAG_NO_LINE: it is the oldest). Its block may be there
 * already. */
void tag_order_revive(struct tag_order *o, const uint64_t *block, uint32_t line, uint32_t older);
void tag_order_touch(struct tag_order *o, uint32_t line);                         /* becomes the newest of its list */
void tag_order_remove(struct tag_order *o, const uint64_t *block, uint32_t line); /* becomes free */
/* To list 0 or 1 of its set, after the line `older` of that list (TAG_NO_LINE: it is the oldest). */
void tag_order_move(struct tag_order *o, uint32_t line, uint32_t list, uint32_t older);
#endif
