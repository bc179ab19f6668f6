/* The engine protocol from any bytes: the first chooses a game, the rest are lines. Every line that
 * is answered is one of the protocol, and every search that is begun is answered for once.
 *
 * Searches are stopped by the line after them, and options that reach outside (files, threads) are
 * left out. */
#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "game/resolve.h"
#include "ui/engine/engine.h"
#include "values/registry.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static Variant choose_variant(uint8_t byte) {
    static const char *const choices[][2] = {
        {"valley", ""}, {"yut", "--pieces 1"}, {"box", "--tiles 4"},
        {"race", ""},   {"dice", ""},          {"box", "--tiles 3 --players 3"}};
    const size_t count = sizeof choices / sizeof choices[0];
    const char *const *choice = choices[byte % count];
    const Game *game;
    Variant variant;
    Status status = registry_find(choice[0], &game);
    if (status_is_ok(&status))
        status = variant_parse(game, choice[1], &variant);
    assert(status_is_ok(&status));
    return variant;
}

static bool contains(const char *line, size_t length, const char *word) {
    return memmem(line, length, word, strlen(word)) != NULL;
}

/* Writes the lines as the engine is to read them. */
static void write_lines(const char *data, size_t size, FILE *in) {
    while (size > 0) {
        const char *end = memchr(data, '\n', size);
        size_t length = end ? (size_t)(end - data) : size;
        if (!contains(data, length, "tables") && !contains(data, length, "threads")) {
            fwrite(data, 1, length, in);
            fputs(contains(data, length, "go") ? "\nstop\n" : "\n", in);
        }
        data += length + (end != NULL);
        size -= length + (end != NULL);
    }
}

/* Checks that all lines are the protocol's; between two bests there is a line that begins a search,
 * so none may follow another without a refused or accepted `stop`. */
static void check_answers(char *answers) {
    static const char *const words[] = {"id ",   "option ",   "ugiok",    "readyok",
                                        "info ", "bestmove ", "response "};
    char *rest = answers, *line;
    while ((line = strsep(&rest, "\n")) && *line) {
        bool is_known = false;
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
            is_known = is_known || strncmp(line, words[i], strlen(words[i])) == 0;
        assert(is_known);
        for (const char *at = line; *at; at++)
            assert(!iscntrl((unsigned char)*at));
    }
    assert(!rest || !*rest);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    Variant variant = choose_variant(data[0]);
    SolveLimits limits = {.memory_bytes = 1 << 22, .threads = 1};
    char *input = NULL, *answers = NULL;
    size_t input_size, answer_size;
    FILE *in = open_memstream(&input, &input_size);
    FILE *out = open_memstream(&answers, &answer_size);
    assert(in && out);
    write_lines((const char *)data + 1, size - 1, in);
    fclose(in);
    in = fmemopen(input, input_size + 1, "r"); /* not empty; ends with a zero, which is no line */
    assert(in);
    Status status = engine_run(&variant, &limits, in, out);
    assert(status_is_ok(&status));
    fclose(in);
    fclose(out);
    check_answers(answers);
    free(answers);
    free(input);
    return 0;
}
