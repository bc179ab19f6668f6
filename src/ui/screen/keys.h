/* Decodes what a terminal sends into events: characters, keys and mouse clicks.
 *
 *     "\x1b[A" -> KEY_UP     "\x1b[<0;12;5M" -> a click at row 4, column 11     "가" -> U+AC00
 *
 * Any bytes are decoded into something; what is not understood is dropped. A decoder belongs to one
 * thread at a time.
 */
#ifndef MALPAN_UI_SCREEN_KEYS_H
#define MALPAN_UI_SCREEN_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Keys are code points, or one of these. */
enum {
    KEY_NOTHING = 0,
    KEY_CTRL_C = 3,
    KEY_CTRL_L = 12,
    KEY_RETURN = 13,
    KEY_CTRL_Z = 26,
    KEY_ESCAPE = 27,
    KEY_ERASE = 127,
    KEY_CURSOR_UP = 0x110000,
    KEY_CURSOR_DOWN,
    KEY_CURSOR_LEFT,
    KEY_CURSOR_RIGHT,
    KEY_TOP,
    KEY_BOTTOM,
    KEY_PAGE_UP,
    KEY_PAGE_DOWN,
    KEY_BACK_TAB,
    KEY_UNKNOWN
};

typedef enum EventKind { EVENT_NONE, EVENT_KEY, EVENT_CLICK, EVENT_WHEEL } EventKind;

typedef struct Event {
    EventKind kind;
    uint32_t key;
    int row, column; /* of a click or the wheel, from 0 */
    int turns;       /* of the wheel: -1 up, 1 down */
} Event;

enum { KEY_BYTES_MAX = 512 };

typedef struct KeyDecoder {
    char bytes[KEY_BYTES_MAX]; /* not decoded yet */
    size_t count;
} KeyDecoder;

/* Adds bytes from the terminal; those that do not fit are dropped. */
void keys_add(KeyDecoder *decoder, const char *bytes, size_t count);

/* Takes the next event. False if there is none, or its end has not arrived. With `is_late` nothing
 * more is awaited: a lone escape is the key. */
bool keys_take(KeyDecoder *decoder, bool is_late, Event *event);

#endif
