#include "base/number.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool number_read(const char *text, uint64_t *number) {
    uint64_t value = 0;
    if (*text == '\0')
        return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9')
            return false;
        uint64_t digit = (uint64_t)(*text - '0');
        if (value > (UINT64_MAX - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *number = value;
    return true;
}

Status number_parse(const char *what, const char *text, uint64_t low, uint64_t high,
                    uint64_t *number) {
    uint64_t value;
    if (number_read(text, &value) && value >= low && value <= high) {
        *number = value;
        return status_ok();
    }
    if (high == UINT64_MAX)
        return status_make(STATUS_USAGE, "%s: expected a whole number%s, not %s", what,
                           low > 0 ? " above 0" : "", quote(text).text);
    return status_make(STATUS_USAGE,
                       "%s: expected a whole number from %" PRIu64 " to %" PRIu64 ", not %s", what,
                       low, high, quote(text).text);
}

Status number_parse_time(const char *what, const char *text, double *seconds) {
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"ms", 1e-3}, {"s", 1}, {"m", 60}, {"h", 3600}};
    const double day = 86400;
    char *end = NULL;
    bool plain = (*text >= '0' && *text <= '9') || *text == '.';
    double value = plain ? strtod(text, &end) : 0;
    for (size_t i = 0; plain && i < sizeof units / sizeof units[0]; i++) {
        double length = value * units[i].seconds;
        if (strcmp(end, units[i].name) == 0 && !strpbrk(text, "xXpPeE") && length >= 1e-3 &&
            length <= day) {
            *seconds = length;
            return status_ok();
        }
    }
    return status_make(STATUS_USAGE, "%s: expected a time such as 500ms, 2s or 1m, not %s", what,
                       quote(text).text);
}

Status number_parse_size(const char *what, const char *text, size_t *bytes) {
    static const char units[] = "KMGT";
    char digits[24];
    size_t length = strnlen(text, sizeof digits);
    const char *unit = length > 0 ? strchr(units, text[length - 1]) : NULL;
    if (length > 0 && length < sizeof digits) {
        memcpy(digits, text, length + 1);
        unsigned shift = 0;
        if (unit) {
            digits[length - 1] = '\0';
            shift = 10 * (unsigned)(unit - units + 1);
        }
        uint64_t value;
        if (number_read(digits, &value) && value > 0 && value <= SIZE_MAX >> shift) {
            *bytes = (size_t)value << shift;
            return status_ok();
        }
    }
    return status_make(STATUS_USAGE, "%s: expected a size such as 512M or 4G, not %s", what,
                       quote(text).text);
}

Status number_parse_real(const char *what, const char *text, double low, double high,
                         double *number) {
    char *end;
    bool plain = (*text >= '0' && *text <= '9') || *text == '.';
    double value = plain ? strtod(text, &end) : 0;
    if (!plain || *end != '\0' || strpbrk(text, "xXpP") || !(value >= low && value <= high))
        return status_make(STATUS_USAGE, "%s: expected a number from %g to %g, not %s", what, low,
                           high, quote(text).text);
    *number = value;
    return status_ok();
}
