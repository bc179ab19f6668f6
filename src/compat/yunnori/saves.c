#include "compat/yunnori/saves.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/number.h"

enum {
    FILE_BYTES_MAX = 64 << 20,
    PIECES = 4,
    /* Of each player the name, and `| NAME ANIMAL` with the pieces; then `| TURN`. */
    FIELDS_MAX = YUT_PLAYERS_MAX * (1 + 3 + PIECES) + 2
};

/* --- a line --- */

/* The words of a line, and the next one to read. */
typedef struct Words {
    char storage[SAVES_LINE_BYTES];
    char *words[FIELDS_MAX];
    size_t count, used;
} Words;

static const char *next_word(Words *words) {
    return words->used < words->count ? words->words[words->used++] : "";
}

static bool next_is(Words *words, const char *expected) {
    return strcmp(next_word(words), expected) == 0;
}

static bool next_number(Words *words, uint64_t high, uint64_t *number) {
    return number_read(next_word(words), number) && *number <= high;
}

static bool parse_ids(Words *words, SavedGame *game) {
    while (words->used < words->count && strcmp(words->words[words->used], "|") != 0) {
        const char *id = next_word(words);
        if (game->player_count == YUT_PLAYERS_MAX || strlen(id) >= USERS_ID_BYTES ||
            strchr(id, '|'))
            return false;
        for (int i = 0; i < game->player_count; i++)
            if (strcmp(game->ids[i], id) == 0)
                return false;
        snprintf(game->ids[game->player_count++], USERS_ID_BYTES, "%s", id);
    }
    return game->player_count >= 2;
}

static bool parse_player(Words *words, SavedGame *game, int player) {
    uint64_t animal, square;
    if (!next_is(words, "|") || !next_is(words, game->ids[player]) ||
        !next_number(words, YUT_COW, &animal))
        return false;
    game->rules.animals[player] = (uint8_t)animal;
    for (int i = 0; i < PIECES; i++) {
        if (!next_number(words, YUT_ARRIVED_TEXT, &square) ||
            (square >= YUT_ARRIVED && square != YUT_ARRIVED_TEXT))
            return false;
        game->state.pieces[player][i] =
            (uint8_t)(square == YUT_ARRIVED_TEXT ? YUT_ARRIVED : square);
    }
    return true;
}

bool saves_parse(const char *line, SavedGame *game) {
    Rules standard = yut_rules_default();
    Words words = {.used = 0};
    words.count = text_split(line, words.storage, sizeof words.storage, words.words, FIELDS_MAX);
    *game = (SavedGame){.rules = yut_rules(&standard), .state = {.throws = 1}};
    if (words.count > FIELDS_MAX || !parse_ids(&words, game))
        return false;
    game->rules.players = (uint8_t)game->player_count;
    for (int player = 0; player < game->player_count; player++)
        if (!parse_player(&words, game, player))
            return false;
    uint64_t turn;
    if (!next_is(&words, "|") || !next_number(&words, (uint64_t)game->player_count - 1, &turn) ||
        words.used != words.count)
        return false;
    game->state.turn = (uint8_t)turn;
    Rules rules = yut_rules_pack(&game->rules);
    State state = yut_state_pack(&game->state);
    Status status = yut_check(&rules, &state);
    return status_is_ok(&status);
}

void saves_print(const SavedGame *game, Text *line) {
    for (int player = 0; player < game->player_count; player++)
        text_addf(line, "%s%s", player > 0 ? " " : "", game->ids[player]);
    for (int player = 0; player < game->player_count; player++) {
        text_addf(line, " | %s %d", game->ids[player], game->rules.animals[player]);
        for (int i = 0; i < PIECES; i++) {
            int square = game->state.pieces[player][i];
            text_addf(line, " %d", square == YUT_ARRIVED ? YUT_ARRIVED_TEXT : square);
        }
    }
    text_addf(line, " | %d", game->state.turn);
}

bool saves_same_players(const SavedGame *a, const SavedGame *b) {
    int shared = 0;
    for (int i = 0; i < a->player_count; i++)
        for (int j = 0; j < b->player_count; j++)
            shared += strcmp(a->ids[i], b->ids[j]) == 0;
    return a->player_count == b->player_count && shared == a->player_count;
}

/* --- the lines of a file --- */

/* Parses the line at `at`, `length` bytes without its newline. */
static bool parse_bytes(const char *at, size_t length, SavedGame *game) {
    char line[SAVES_LINE_BYTES];
    if (length > 0 && at[length - 1] == '\r')
        length--;
    if (length >= sizeof line || memchr(at, '\0', length))
        return false;
    memcpy(line, at, length);
    line[length] = '\0';
    return saves_parse(line, game);
}

static bool is_blank(const char *at, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (!strchr(" \t\r", at[i]) || at[i] == '\0')
            return false;
    return true;
}

static size_t line_length(const char *at, const char *end) {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    return (size_t)((newline ? newline : end) - at);
}

char *saves_rewrite(const char *text, size_t size, const SavedGame *game, const char *line,
                    size_t *new_size) {
    size_t extra = line ? strlen(line) : 0;
    char *result = malloc(size + extra + 3);
    if (!result)
        return NULL;
    size_t length = 0;
    const char *end = text + size;
    for (const char *at = text; at < end;) {
        size_t bytes = line_length(at, end);
        size_t whole = bytes + (at + bytes < end);
        SavedGame other;
        if (!parse_bytes(at, bytes, &other) || !saves_same_players(game, &other)) {
            memcpy(result + length, at, whole);
            length += whole;
        }
        at += whole;
    }
    if (line) {
        if (length > 0 && result[length - 1] != '\n')
            result[length++] = '\n';
        memcpy(result + length, line, extra);
        length += extra;
        result[length++] = '\n';
    }
    result[length] = '\0';
    *new_size = length;
    return result;
}

/* Reads the file; a missing one is empty. */
static Status read_saves(const char *path, char **text, size_t *size) {
    if (file_exists(path))
        return file_read(path, FILE_BYTES_MAX, text, size);
    *size = 0;
    *text = calloc(1, 1);
    return *text ? status_ok() : status_make(STATUS_FAILED, "out of memory");
}

Status saves_find(const char *path, FILE *errors, SavedGame *game, bool *found) {
    char *text;
    size_t size;
    *found = false;
    Status status = read_saves(path, &text, &size);
    if (!status_is_ok(&status))
        return status;
    SavedGame wanted = *game;
    const char *end = text + size;
    size_t number = 0;
    for (const char *at = text; at < end; at++) {
        size_t bytes = line_length(at, end);
        SavedGame other;
        number++;
        if (parse_bytes(at, bytes, &other)) {
            if (saves_same_players(&wanted, &other)) {
                *game = other;
                *found = true;
            }
        } else if (!is_blank(at, bytes) && errors) {
            fprintf(errors, "yunnori: %s, line %zu: not a saved game, left alone\n",
                    quote(path).text, number);
        }
        at += bytes;
    }
    free(text);
    return status;
}

/* Locks the folder that really contains the file, following links. The system releases the lock
 * when the program ends, however it ends. */
static Status lock_folder(const char *path, int *lock) {
    enum { TRIES = 1000, PAUSE_NS = 10000000 };
    char target[PATH_MAX], folder[PATH_MAX];
    Status found = file_find_target(path, target);
    if (!status_is_ok(&found))
        return found;
    const char *slash = strrchr(target, '/');
    int length = !slash || slash == target ? 1 : (int)(slash - target);
    snprintf(folder, sizeof folder, "%.*s", length, slash ? target : ".");
    *lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*lock < 0)
        return status_from_errno("cannot open the folder", folder);
    for (int i = 0; i < TRIES; i++) {
        if (flock(*lock, LOCK_EX | LOCK_NB) == 0)
            return status_ok();
        if (errno != EWOULDBLOCK && errno != EINTR)
            break;
        struct timespec pause = {.tv_nsec = PAUSE_NS};
        nanosleep(&pause, NULL);
    }
    Status status = status_from_errno("cannot lock the folder", folder);
    close(*lock);
    return status;
}

static Status rewrite_file(const char *path, const SavedGame *game, const char *line) {
    int lock;
    Status status = lock_folder(path, &lock);
    if (!status_is_ok(&status))
        return status;
    char *text;
    size_t size;
    status = read_saves(path, &text, &size);
    if (status_is_ok(&status)) {
        size_t new_size;
        char *rewritten = saves_rewrite(text, size, game, line, &new_size);
        if (!rewritten)
            status = status_make(STATUS_FAILED, "out of memory");
        else if (new_size != size || memcmp(text, rewritten, size) != 0)
            status = file_replace(path, rewritten, new_size);
        free(rewritten);
        free(text);
    }
    close(lock);
    return status;
}

Status saves_store(const char *path, const SavedGame *game) {
    char line[SAVES_LINE_BYTES];
    Text text = text_over(line, sizeof line);
    saves_print(game, &text);
    return rewrite_file(path, game, line);
}

Status saves_remove(const char *path, const SavedGame *game) {
    return rewrite_file(path, game, NULL);
}
