#include "ui/screen/keys.h"

#include <string.h>

#include "base/text.h"

void keys_add(KeyDecoder *decoder, const char *bytes, size_t count) {
    size_t room = sizeof decoder->bytes - decoder->count;
    count = count < room ? count : room;
    memcpy(decoder->bytes + decoder->count, bytes, count);
    decoder->count += count;
}

static void drop(KeyDecoder *decoder, size_t count) {
    decoder->count -= count;
    memmove(decoder->bytes, decoder->bytes + count, decoder->count);
}

/* The key of a sequence `ESC [ ... letter` or `ESC O letter`. */
static uint32_t key_of_letter(char letter) {
    switch (letter) {
    case 'A':
        return KEY_CURSOR_UP;
    case 'B':
        return KEY_CURSOR_DOWN;
    case 'C':
        return KEY_CURSOR_RIGHT;
    case 'D':
        return KEY_CURSOR_LEFT;
    case 'H':
        return KEY_TOP;
    case 'F':
        return KEY_BOTTOM;
    case 'M':
        return KEY_RETURN; /* of the number pad */
    case 'Z':
        return KEY_BACK_TAB;
    default:
        return KEY_UNKNOWN;
    }
}

/* The key of a sequence `ESC [ number ~`. */
static uint32_t key_of_number(int number) {
    switch (number) {
    case 1:
    case 7:
        return KEY_TOP;
    case 4:
    case 8:
        return KEY_BOTTOM;
    case 5:
        return KEY_PAGE_UP;
    case 6:
        return KEY_PAGE_DOWN;
    default:
        return KEY_UNKNOWN;
    }
}

/* Reads up to three numbers of a sequence. */
static void read_numbers(const char *bytes, size_t length, int numbers[3]) {
    size_t which = 0;
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] >= '0' && bytes[i] <= '9' && numbers[which] < 100000)
            numbers[which] = 10 * numbers[which] + (bytes[i] - '0');
        else if (bytes[i] == ';' && ++which == 3)
            return;
    }
}

/* A mouse report: the button, the column and the row, both from 1. */
static Event mouse_event(const int numbers[3], bool is_press) {
    enum { WHEEL = 64, MOTION = 32, BUTTONS = 3 };
    Event event = {.row = numbers[2] - 1, .column = numbers[1] - 1};
    if (numbers[0] & WHEEL) {
        event.kind = EVENT_WHEEL;
        event.turns = numbers[0] & 1 ? 1 : -1;
    } else if (is_press && !(numbers[0] & MOTION) && (numbers[0] & BUTTONS) == 0) {
        event.kind = EVENT_CLICK;
    }
    return event;
}

/* Decodes a sequence that begins with ESC [. Returns its length; 0 if its end is missing. */
static size_t decode_sequence(const KeyDecoder *decoder, Event *event) {
    size_t end = 2;
    int numbers[3] = {0, 0, 0};
    while (end < decoder->count && (decoder->bytes[end] < '@' || decoder->bytes[end] > '~') &&
           (unsigned char)decoder->bytes[end] >= ' ')
        end++;
    if (end == decoder->count)
        return 0;
    char last = decoder->bytes[end];
    read_numbers(decoder->bytes + 2, end - 2, numbers);
    if (end == 2 && last == 'M') { /* the old mouse report: three bytes follow */
        if (decoder->count < 6)
            return 0;
        for (int i = 0; i < 3; i++)
            numbers[i] = (unsigned char)decoder->bytes[3 + i] - 32;
        *event = mouse_event(numbers, (numbers[0] & 3) != 3);
        return 6;
    }
    if (decoder->bytes[2] == '<')
        *event = mouse_event(numbers, last == 'M');
    else
        *event = (Event){.kind = EVENT_KEY,
                         .key = last == '~' ? key_of_number(numbers[0]) : key_of_letter(last)};
    return end + 1;
}

static size_t decode_escape(const KeyDecoder *decoder, bool is_late, Event *event) {
    size_t length = 0;
    *event = (Event){.kind = EVENT_KEY, .key = KEY_ESCAPE};
    if (decoder->count == 1)
        return is_late;
    if (decoder->bytes[1] == '[') {
        length = decode_sequence(decoder, event);
    } else if (decoder->bytes[1] == 'O') {
        length = decoder->count > 2 ? 3 : 0;
        if (length > 0)
            event->key = key_of_letter(decoder->bytes[2]);
    } else {
        return 1;
    }
    if (length == 0 && (is_late || decoder->count == sizeof decoder->bytes)) {
        *event = (Event){.kind = EVENT_NONE};
        return decoder->count; /* a broken sequence */
    }
    return length;
}

static size_t decode_character(const KeyDecoder *decoder, bool is_late, Event *event) {
    char bytes[5] = "";
    uint32_t code_point;
    unsigned char lead = (unsigned char)decoder->bytes[0];
    size_t wanted = lead >= 0xF0u ? 4 : lead >= 0xE0u ? 3 : lead >= 0xC0u ? 2 : 1;
    if (decoder->count < wanted && !is_late)
        return 0;
    memcpy(bytes, decoder->bytes, decoder->count < 4 ? decoder->count : 4);
    *event = (Event){.kind = EVENT_KEY};
    if (lead == 0)
        return 1;
    size_t length = text_decode(bytes, &code_point);
    event->key = code_point == TEXT_NOT_UTF8 ? KEY_NOTHING
                 : lead == '\n'              ? KEY_RETURN
                 : lead == '\b'              ? KEY_ERASE
                                             : code_point;
    return length;
}

bool keys_take(KeyDecoder *decoder, bool is_late, Event *event) {
    while (decoder->count > 0) {
        size_t length = decoder->bytes[0] == '\x1b' ? decode_escape(decoder, is_late, event)
                                                    : decode_character(decoder, is_late, event);
        if (length == 0)
            return false;
        drop(decoder, length);
        if (event->kind != EVENT_NONE && !(event->kind == EVENT_KEY && event->key == KEY_NOTHING))
            return true;
    }
    return false;
}
