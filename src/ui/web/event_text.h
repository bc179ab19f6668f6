/* The text of an event, shared by all listeners that receive the same one. */
#ifndef MALPAN_UI_WEB_EVENT_TEXT_H
#define MALPAN_UI_WEB_EVENT_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* Constant, except for `references`, which is atomic. */
typedef struct EventText {
    _Atomic size_t references;
    uint64_t since, version; /* it leads from one version to the other */
    size_t length;
    char bytes[];
} EventText;

/* An event with the JSON `data` and one reference; NULL if out of memory. It asks the client to
 * come back after a second if the connection is lost. */
EventText *event_text_make(uint64_t since, uint64_t version, const char *data);

/* An event with a name of its own and no version. */
EventText *event_text_make_named(const char *name, const char *data);

/* One more reference. Returns the text. */
EventText *event_text_share(EventText *text);

/* One reference less; the last one frees it. NULL is fine. */
void event_text_release(EventText *text);

#endif
