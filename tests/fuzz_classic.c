/* Any bytes as user_info.txt, as game_info.txt, and as a line of it. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "compat/yunnori/saves.h"
#include "compat/yunnori/users.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A line that parses prints as a line that parses to the same game. */
static void try_line(const char *text) {
    SavedGame game, again;
    if (!saves_parse(text, &game))
        return;
    char line[SAVES_LINE_BYTES];
    Text print = text_over(line, sizeof line);
    saves_print(&game, &print);
    assert(!print.truncated && saves_parse(line, &again));
    assert(memcmp(&game.state, &again.state, sizeof game.state) == 0);
    assert(saves_same_players(&game, &again));
}

/* Rewriting takes out the lines of one set of players and nothing else. */
static void try_rewrite(const char *text, size_t size) {
    static const char line[] = "Noah Liam | Noah 1 0 0 0 0 | Liam 0 0 0 0 0 | 0";
    SavedGame game;
    bool parsed = saves_parse(line, &game);
    assert(parsed);
    size_t once_size, twice_size, removed_size;
    char *once = saves_rewrite(text, size, &game, line, &once_size);
    assert(once && once_size <= size + sizeof line + 1);
    char *twice = saves_rewrite(once, once_size, &game, line, &twice_size);
    assert(twice && twice_size == once_size && memcmp(once, twice, once_size) == 0);
    char *removed = saves_rewrite(once, once_size, &game, NULL, &removed_size);
    assert(removed && removed_size + sizeof line == once_size);
    free(once);
    free(twice);
    free(removed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    assert(text);
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    try_line(text);
    try_rewrite(text, size);
    users_match(text, "users", "Noah", "22d34h", NULL);
    free(text);
    return 0;
}
