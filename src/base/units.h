/* units.h - numbers as people write them: "16KiB", "1.4GHz", "13.75ns", "0x80".
 *
 * Parsing is exact integer arithmetic: a value that is not a whole number of the base unit is refused, never rounded.
 * On failure `why` points at a constant phrase that completes "VALUE ...": "is not a number". */
#ifndef WARPLINE_BASE_UNITS_H
#define WARPLINE_BASE_UNITS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool units_parse_unsigned(const char *text, uint64_t *out, const char **why); /* decimal or 0x hexadecimal */
bool units_parse_signed(const char *text, int64_t *out, const char **why);
bool units_parse_real(const char *text, double *out, const char **why); /* finite only */
bool units_parse_bool(const char *text, bool *out, const char **why);   /* true/false, yes/no, on/off, 1/0 */

/* Bytes. K, KB and KiB are all 1024 bytes, as cache sizes are written in papers and data sheets; M and G alike. */
bool units_parse_size(const char *text, uint64_t *bytes, const char **why);
/* Kilohertz: kHz, MHz, GHz. A bare number other than 0 is refused. */
bool units_parse_frequency(const char *text, uint64_t *khz, const char **why);
/* Picoseconds: ps, ns, us, ms, s. A bare number other than 0 is refused. */
bool units_parse_time(const char *text, uint64_t *picoseconds, const char **why);

/* The shortest text that parses back to the same value. */
void units_format_size(char *out, size_t room, uint64_t bytes);
void units_format_frequency(char *out, size_t room, uint64_t khz);
void units_format_time(char *out, size_t room, uint64_t picoseconds);
void units_format_real(char *out, size_t room, double value);

/* For people, not for parsing back: "12.3 M", "4.7 GB". */
void units_human_count(char *out, size_t room, double value);
void units_human_bytes(char *out, size_t room, double bytes);
#endif
