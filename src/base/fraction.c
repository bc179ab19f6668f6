#include "base/fraction.h"

uint64_t fraction_divisor(uint64_t a, uint64_t b) {
    while (b > 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

void fraction_add(Text *text, uint64_t numerator, uint64_t denominator) {
    uint64_t common = fraction_divisor(numerator, denominator);
    text_add_number(text, numerator / common);
    if (denominator != common) {
        text_add_char(text, '/');
        text_add_number(text, denominator / common);
    }
}
