#include "compat/yunnori/users.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"

enum { FILE_BYTES_MAX = 16 << 20, LINE_BYTES = 4096 };

bool users_match(char *text, const char *path, const char *id, const char *password, FILE *errors) {
    bool matches = false;
    size_t number = 0;
    for (char *line = text; line;) {
        char *end = strchr(line, '\n');
        if (end)
            *end++ = '\0';
        number++;
        char storage[LINE_BYTES];
        char *words[2];
        line[strcspn(line, "\r")] = '\0';
        size_t count = text_split(line, storage, sizeof storage, words, 2);
        bool good = count == 2 && strlen(words[0]) < USERS_ID_BYTES && !strchr(words[0], '|');
        if (good)
            matches = matches || (strcmp(words[0], id) == 0 && strcmp(words[1], password) == 0);
        else if (count != 0 && errors)
            fprintf(errors, "yunnori: %s, line %zu: expected an ID and a password\n",
                    quote(path).text, number);
        line = end;
    }
    return matches;
}

Status users_check(const char *path, const char *id, const char *password, FILE *errors,
                   bool *matches) {
    char *text;
    size_t size;
    Status status = file_read(path, FILE_BYTES_MAX, &text, &size);
    if (!status_is_ok(&status))
        return status;
    for (size_t i = 0; i < size; i++)
        if (text[i] == '\0')
            text[i] = '?';
    *matches = users_match(text, path, id, password, errors);
    free(text);
    return status;
}
