/* user_info.txt: one line `ID PASSWORD` per user. */
#ifndef MALPAN_COMPAT_YUNNORI_USERS_H
#define MALPAN_COMPAT_YUNNORI_USERS_H

#include <stdio.h>

#include "base/status.h"

enum { USERS_ID_BYTES = 64 };

/* Whether a line has this ID and password. Lines that do not parse are reported on `errors` (unless
 * NULL) with their numbers. Fails if the file cannot be read. */
Status users_check(const char *path, const char *id, const char *password, FILE *errors,
                   bool *matches);

/* The same for a text in memory, which is modified; `path` is for the messages. */
bool users_match(char *text, const char *path, const char *id, const char *password, FILE *errors);

#endif
