/* Any bytes as a command line, a number, a size and a text that is cut to a width. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/options.h"
#include "base/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const OptionSpec specs[] = {{.name = "seed", .argument = "N"},
                                       {.name = "quiet", .letter = 'q'}};
    static const OptionSpec *const pointers[] = {&specs[0], &specs[1]};
    char *text = malloc(size + 1);
    assert(text);
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';

    int columns = text_columns(text);
    assert(columns >= 0 && (size_t)columns <= 2 * size);
    char *cut = strdup(text);
    int limit = size ? data[0] % 32 : 0;
    assert(cut);
    text_cut_columns(cut, limit);
    assert(text_columns(cut) <= limit && strlen(cut) <= strlen(text));
    assert(columns > limit || strcmp(cut, text) == 0);
    free(cut);
    uint64_t number;
    size_t bytes;
    Status status = number_parse_size("size", text, &bytes);
    assert(status_is_ok(&status) || !strpbrk(status.message, "\n\r\x1b"));
    if (number_read(text, &number))
        assert(strspn(text, "0123456789") == strlen(text));

    const char *arguments[256];
    size_t count = 0;
    for (char *at = text; count < 256 && at <= text + size; at += strlen(at) + 1)
        arguments[count++] = at;
    CommandLine line;
    status = options_parse(pointers, 2, arguments, count, &line);
    if (status_is_ok(&status))
        assert(line.word_count + line.given_count <= count + size);
    else
        assert(status.message[0] && !strchr(status.message, '\n'));
    free(text);
    return 0;
}
