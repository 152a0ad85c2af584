/* units.c - numbers as people write them ("16KiB", "700MHz", "40ns"), read strictly and written back. */
#include "base/units.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct unit {
    const char *name;
    uint64_t multiplier;
};

static const struct unit size_units[] = { { "B", 1 },
                                          { "K", UINT64_C(1) << 10 },
                                          { "KB", UINT64_C(1) << 10 },
                                          { "KiB", UINT64_C(1) << 10 },
                                          { "M", UINT64_C(1) << 20 },
                                          { "MB", UINT64_C(1) << 20 },
                                          { "MiB", UINT64_C(1) << 20 },
                                          { "G", UINT64_C(1) << 30 },
                                          { "GB", UINT64_C(1) << 30 },
                                          { "GiB", UINT64_C(1) << 30 },
                                          { "T", UINT64_C(1) << 40 },
                                          { "TB", UINT64_C(1) << 40 },
                                          { "TiB", UINT64_C(1) << 40 },
                                          { NULL, 0 } };
static const struct unit frequency_units[] = { { "kHz", 1 }, { "MHz", 1000 }, { "GHz", 1000000 }, { NULL, 0 } };
static const struct unit time_units[] = {
    { "ps", 1 }, { "ns", 1000 }, { "us", 1000000 }, { "ms", UINT64_C(1000000000) }, { "s", UINT64_C(1000000000000) }, { NULL, 0 }
};

bool units_parse_unsigned(const char *text, uint64_t *out, const char **why)
{
    *why = "is not a whole number";
    if (!isdigit((unsigned char)text[0])) {
        if (text[0] == '-' && isdigit((unsigned char)text[1]))
            *why = "is negative";
        return false;
    }
    const int base = text[0] == '0' && (text[1] == 'x' || text[1] == 'X') ? 16 : 10;
    if (base == 16 && !isxdigit((unsigned char)text[2]))
        return false;
    errno = 0;
    char *end;
    const unsigned long long value = strtoull(text, &end, base);
    if (*end)
        return false;
    if (errno == ERANGE) {
        *why = "does not fit in 64 bits";
        return false;
    }
    *out = value;
    return true;
}

bool units_parse_signed(const char *text, int64_t *out, const char **why)
{
    const bool negative = text[0] == '-';
    uint64_t magnitude;
    if (!units_parse_unsigned(text + negative, &magnitude, why)) {
        if (negative && text[1] == '-')
            *why = "is not a whole number";
        return false;
    }
    if (magnitude > (uint64_t)INT64_MAX) {
        *why = "does not fit in 64 bits";
        return false;
    }
    *out = negative ? -(int64_t)magnitude : (int64_t)magnitude;
    return true;
}

bool units_parse_real(const char *text, double *out, const char **why)
{
    *why = "is not a finite number";
    /* strtod takes leading blanks, hexadecimal, "nan" and "inf": none of them is meant here. */
    if (!*text || strspn(text, "+-.0123456789eE") != strlen(text))
        return false;
    char *end;
    const double value = strtod(text, &end);
    if (*end || end == text || !isfinite(value))
        return false;
    *out = value;
    return true;
}

bool units_parse_bool(const char *text, bool *out, const char **why)
{
    static const char *const yes[] = { "true", "yes", "on", "1" }, *const no[] = { "false", "no", "off", "0" };
    for (size_t i = 0; i < 4; i++) {
        if (!strcasecmp(text, yes[i]) || !strcasecmp(text, no[i])) {
            *out = !strcasecmp(text, yes[i]);
            return true;
        }
    }
    *why = "is neither true nor false";
    return false;
}

/* digits[.digits] -> whole part and fraction as a numerator over a power of ten. */
static bool parse_decimal(const char **text, uint64_t *digits, uint64_t *power, const char **why)
{
    const char *p = *text;
    bool fraction = false;
    unsigned seen = 0;
    for (*digits = 0, *power = 1; isdigit((unsigned char)*p) || (*p == '.' && !fraction); p++) {
        if (*p == '.') {
            fraction = true;
            continue;
        }
        seen++;
        const uint64_t digit = (uint64_t)(*p - '0');
        if (*digits > (UINT64_MAX - digit) / 10 || (fraction && *power > UINT64_MAX / 10)) {
            *why = "has too many digits";
            return false;
        }
        *digits = *digits * 10 + digit;
        if (fraction)
            *power *= 10;
    }
    *text = p;
    if (!seen)
        *why = "is not a number";
    return seen > 0;
}

static bool parse_with_unit(const char *text, const struct unit *units, bool bare_allowed, const char *bare_why,
                            const char *unit_why, const char *fraction_why, uint64_t *out, const char **why)
{
    if (text[0] == '-' && (isdigit((unsigned char)text[1]) || text[1] == '.')) {
        *why = "is negative";
        return false;
    }
    if (bare_allowed && text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
        return units_parse_unsigned(text, out, why);
    uint64_t digits, power, multiplier = 0;
    if (!parse_decimal(&text, &digits, &power, why))
        return false;
    while (*text == ' ')
        text++;
    if (!*text) {
        if (!bare_allowed && digits != 0) {
            *why = bare_why;
            return false;
        }
        multiplier = 1;
    }
    for (const struct unit *u = units; u->name && !multiplier; u++)
        if (!strcasecmp(text, u->name))
            multiplier = u->multiplier;
    if (!multiplier) {
        *why = unit_why;
        return false;
    }
    /* 99.99999999375s fits in 64 bits of picoseconds, but its digits times the unit do not. */
    const unsigned __int128 scaled = (unsigned __int128)digits * multiplier;
    if (scaled / power > UINT64_MAX) {
        *why = "does not fit in 64 bits";
        return false;
    }
    if (scaled % power) {
        *why = fraction_why;
        return false;
    }
    *out = (uint64_t)(scaled / power);
    return true;
}

bool units_parse_size(const char *text, uint64_t *bytes, const char **why)
{
    return parse_with_unit(text, size_units, true, "", "has an unknown unit (use B, KiB, MiB, GiB or TiB)",
                           "is not a whole number of bytes", bytes, why);
}

bool units_parse_frequency(const char *text, uint64_t *khz, const char **why)
{
    return parse_with_unit(text, frequency_units, false, "needs a unit (kHz, MHz or GHz)",
                           "has an unknown unit (use kHz, MHz or GHz)", "is not a whole number of kHz", khz, why);
}

bool units_parse_time(const char *text, uint64_t *picoseconds, const char **why)
{
    return parse_with_unit(text, time_units, false, "needs a unit (ps, ns, us, ms or s)",
                           "has an unknown unit (use ps, ns, us, ms or s)", "is not a whole number of picoseconds", picoseconds,
                           why);
}

/* The largest unit of which the value is a whole number, in thousandths at most: 1108800 kHz -> "1108.8MHz". */
static void format_decimal(char *out, size_t room, uint64_t value, const char *const *names, size_t count)
{
    size_t unit = 0;
    uint64_t scale = 1;
    while (unit + 1 < count && value >= scale * 1000) {
        unit++;
        scale *= 1000;
    }
    int length = snprintf(out, room, "%" PRIu64, value / scale);
    uint64_t rest = value % scale;
    if (rest && length > 0 && (size_t)length + 2 < room) {
        out[length++] = '.';
        for (; rest && (size_t)length + 1 < room; rest = rest * 10 % scale)
            out[length++] = (char)('0' + rest * 10 / scale);
    }
    (void)snprintf(out + length, room - (size_t)length, "%s", names[unit]);
}

void units_format_size(char *out, size_t room, uint64_t bytes)
{
    static const char *const names[] = { "", "KiB", "MiB", "GiB", "TiB" };
    size_t unit = 0;
    while (unit < 4 && bytes && bytes % 1024 == 0) {
        bytes /= 1024;
        unit++;
    }
    (void)snprintf(out, room, "%" PRIu64 "%s", bytes, names[unit]);
}

void units_format_frequency(char *out, size_t room, uint64_t khz)
{
    static const char *const names[] = { "kHz", "MHz", "GHz" };
    format_decimal(out, room, khz, names, 3);
}

void units_format_time(char *out, size_t room, uint64_t picoseconds)
{
    static const char *const names[] = { "ps", "ns", "us", "ms", "s" };
    format_decimal(out, room, picoseconds, names, 5);
}

void units_format_real(char *out, size_t room, double value)
{
    const bool plain = value == 0 || (fabs(value) >= 1e-4 && fabs(value) < 1e15); /* 10, not 1e+01 */
    for (int digits = 1; digits <= 17; digits++) {
        (void)snprintf(out, room, "%.*g", digits, value);
        if (strtod(out, NULL) == value && !(plain && strchr(out, 'e')))
            return;
    }
}

static void human(char *out, size_t room, double value, double step, const char *const *names, size_t count)
{
    size_t unit = 0;
    while (unit + 1 < count && fabs(value) >= step) {
        value /= step;
        unit++;
    }
    if (unit == 0 && value == floor(value))
        (void)snprintf(out, room, "%.0f%s", value, names[0]);
    else
        (void)snprintf(out, room, "%.*f%s", fabs(value) < 10 ? 2 : fabs(value) < 100 ? 1 : 0, value, names[unit]);
}

void units_human_count(char *out, size_t room, double value)
{
    static const char *const names[] = { "", " k", " M", " G", " T" };
    human(out, room, value, 1000, names, 5);
}

void units_human_bytes(char *out, size_t room, double bytes)
{
    static const char *const names[] = { " B", " KiB", " MiB", " GiB", " TiB" };
    human(out, room, bytes, 1024, names, 5);
}
