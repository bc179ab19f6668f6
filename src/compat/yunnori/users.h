/* user_info.txt: a line `ID PASSWORD` each. */
#ifndef MALPAN_COMPAT_YUNNORI_USERS_H
#define MALPAN_COMPAT_YUNNORI_USERS_H

#include <stdio.h>

#include "base/status.h"

enum { USERS_ID_BYTES = 64 };

/* Whether some line has this ID with this password. Lines that do not parse are told to `errors`
 * (NULL: to nobody) with their numbers. Fails when the file cannot be read. */
Status users_check(const char *path, const char *id, const char *password, FILE *errors,
                   bool *matches);

/* The same on a text in memory, which is changed; `path` is for the messages. */
bool users_match(char *text, const char *path, const char *id, const char *password, FILE *errors);

#endif
