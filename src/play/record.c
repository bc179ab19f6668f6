#include "play/record.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "game/resolve.h"
#include "values/registry.h"

static const char magic[] = "malpan-record 1";

static Status out_of_memory(void) {
    return status_make(STATUS_FAILED, "out of memory");
}

/* Makes room for one more step. */
static bool reserve_step(Record *record) {
    if (record->step_count + 1 < record->capacity)
        return true;
    size_t capacity = record->capacity ? 2 * record->capacity : 64;
    Move *moves = realloc(record->moves, capacity * sizeof *moves);
    if (!moves)
        return false;
    record->moves = moves;
    State *states = realloc(record->states, capacity * sizeof *states);
    if (!states)
        return false;
    record->states = states;
    record->capacity = capacity;
    return true;
}

Status record_open(const Variant *variant, const Seat seats[], uint64_t seed, const State *start,
                   Record *record) {
    *record = (Record){.variant = *variant, .seed = seed};
    for (int i = 0; i < variant->game->rules.player_count(&variant->rules); i++)
        record->seats[i] = seats[i];
    if (!reserve_step(record)) {
        record_close(record);
        return out_of_memory();
    }
    record->states[0] = *start;
    return status_ok();
}

void record_close(Record *record) {
    free(record->moves);
    free(record->states);
    *record = (Record){.seed = 0};
}

const State *record_state(const Record *record) {
    return &record->states[record->step_count];
}

Random record_random(const Record *record) {
    return random_from_seed(record->seed, record->step_count);
}

Status record_add(Record *record, Move move) {
    if (!reserve_step(record))
        return out_of_memory();
    State next = *record_state(record);
    Status status = variant_play(&record->variant, &next, move);
    if (status_is_ok(&status)) {
        record->moves[record->step_count++] = move;
        record->states[record->step_count] = next;
    }
    return status;
}

void record_cut(Record *record, size_t step_count) {
    if (step_count < record->step_count)
        record->step_count = step_count;
}

char *record_print(const Record *record) {
    enum { HEAD_BYTES = 4 * GAME_TEXT_BYTES };
    const Variant *variant = &record->variant;
    const Game *game = variant->game;
    size_t capacity = HEAD_BYTES + (record->step_count + 1) * GAME_TEXT_BYTES;
    char *bytes = malloc(capacity);
    if (!bytes)
        return NULL;
    Text text = text_over(bytes, capacity);
    text_addf(&text, "%s\ngame %s\nrules ", magic, game->identity.name);
    variant_print(variant, &text);
    text_add(&text, "\nseats");
    for (int i = 0; i < game->rules.player_count(&variant->rules); i++) {
        text_add_char(&text, ' ');
        seat_print(&record->seats[i], &text);
    }
    text_addf(&text, "\nseed %" PRIu64 "\nstart ", record->seed);
    game->text.print_state(&variant->rules, &record->states[0], &text);
    text_add_char(&text, '\n');
    for (size_t i = 0; i < record->step_count; i++) {
        int actor = game->tree.actor(&variant->rules, &record->states[i]);
        if (actor == GAME_CHANCE)
            text_add(&text, "* ");
        else
            text_addf(&text, "%d ", actor);
        game->text.print_move(&variant->rules, &record->states[i], record->moves[i], LANG_EN,
                              &text);
        text_add_char(&text, '\n');
    }
    return bytes;
}

/* --- reading --- */

typedef struct Reader {
    const char *at;
    size_t line_number;
    char line[2 * GAME_TEXT_BYTES];
} Reader;

/* Reads the next line. Returns false at the end, or if the line is too long for a record. */
static bool next_line(Reader *reader) {
    reader->line_number++;
    size_t length = strcspn(reader->at, "\n");
    if ((length == 0 && *reader->at == '\0') || length >= sizeof reader->line)
        return false;
    memcpy(reader->line, reader->at, length);
    reader->line[length] = '\0';
    reader->at += length + (reader->at[length] == '\n');
    return true;
}

/* What follows `key` and a space on the next line, or NULL. */
static const char *next_field(Reader *reader, const char *key) {
    size_t length = strlen(key);
    if (!next_line(reader) || strncmp(reader->line, key, length) != 0 ||
        reader->line[length] != ' ')
        return NULL;
    return reader->line + length + 1;
}

/* An error at the current line. */
static Status error_at_line(const Reader *reader, const char *message) {
    return status_make(STATUS_USAGE, "game record, line %zu: %s", reader->line_number, message);
}

static Status expected_field(const Reader *reader, const char *key) {
    return status_make(STATUS_USAGE, "game record, line %zu: expected '%s ...'",
                       reader->line_number, key);
}

static Status read_seats(Reader *reader, const Variant *variant, const char *field, Seat seats[]) {
    char storage[GAME_TEXT_BYTES];
    char *names[GAME_PLAYERS_MAX];
    size_t players = (size_t)variant->game->rules.player_count(&variant->rules);
    if (text_split(field, storage, sizeof storage, names, GAME_PLAYERS_MAX) != players)
        return error_at_line(reader, "one player for each seat is expected");
    for (size_t i = 0; i < players; i++) {
        Status status = seat_parse(names[i], &seats[i]);
        if (!status_is_ok(&status))
            return error_at_line(reader, status.message);
    }
    return status_ok();
}

static Status read_head(Reader *reader, Record *record) {
    if (!next_line(reader) || strcmp(reader->line, magic) != 0)
        return status_make(STATUS_USAGE, "not a game record (line 1 is not '%s')", magic);
    const char *field = next_field(reader, "game");
    if (!field)
        return expected_field(reader, "game");
    const Game *game;
    Status status = registry_find(field, &game);
    if (!status_is_ok(&status))
        return error_at_line(reader, status.message);

    field = next_field(reader, "rules");
    if (!field)
        return expected_field(reader, "rules");
    Variant variant;
    status = variant_parse(game, field, &variant);
    if (!status_is_ok(&status))
        return error_at_line(reader, status.message);

    field = next_field(reader, "seats");
    if (!field)
        return expected_field(reader, "seats");
    Seat seats[GAME_PLAYERS_MAX];
    status = read_seats(reader, &variant, field, seats);
    if (!status_is_ok(&status))
        return status;

    uint64_t seed;
    field = next_field(reader, "seed");
    if (!field || !number_read(field, &seed))
        return expected_field(reader, "seed");
    State start;
    field = next_field(reader, "start");
    if (!field)
        return expected_field(reader, "start");
    status = game->text.parse_state(&variant.rules, field, &start);
    if (!status_is_ok(&status))
        return error_at_line(reader, status.message);
    return record_open(&variant, seats, seed, &start, record);
}

static Status read_step(const Reader *reader, Record *record) {
    const Variant *variant = &record->variant;
    const State *state = record_state(record);
    int actor = variant->game->tree.actor(&variant->rules, state);
    char who[16];
    snprintf(who, sizeof who, "%d", actor);
    const char *expected = actor == GAME_CHANCE ? "*" : who;
    size_t length = strlen(expected);
    if (actor == GAME_END)
        return error_at_line(reader, "the game is over");
    if (strncmp(reader->line, expected, length) != 0 || reader->line[length] != ' ')
        return status_make(STATUS_USAGE, "game record, line %zu: expected a step of '%s'",
                           reader->line_number, expected);
    Move move;
    Status status = variant->game->text.parse_move(&variant->rules, state,
                                                   reader->line + length + 1, LANG_EN, &move);
    if (!status_is_ok(&status))
        return error_at_line(reader, status.message);
    status = record_add(record, move);
    return status.code == STATUS_USAGE ? error_at_line(reader, status.message) : status;
}

Status record_parse(const char *text, Record *record) {
    Reader reader = {.at = text};
    Status status = read_head(&reader, record);
    if (!status_is_ok(&status))
        return status;
    while (status_is_ok(&status) && next_line(&reader))
        status = read_step(&reader, record);
    if (status_is_ok(&status) && *reader.at)
        status = error_at_line(&reader, "too long");
    if (!status_is_ok(&status))
        record_close(record);
    return status;
}

/* --- whose turn it is --- */

static bool is_person(const Record *record, int seat) {
    return record->seats[seat].kind->open == NULL;
}

static int actor_at(const Record *record, const State *state) {
    const Variant *variant = &record->variant;
    return variant->game->tree.actor(&variant->rules, state);
}

int record_waits_for(const Record *record) {
    int actor = actor_at(record, record_state(record));
    return actor >= 0 && !is_person(record, actor) ? GAME_CHANCE : actor;
}

bool record_is_endless(const Record *record) {
    const Variant *variant = &record->variant;
    for (int i = 0; i < variant->game->rules.player_count(&variant->rules); i++)
        if (is_person(record, i))
            return false;
    return variant_is_repetition(variant, record->states, record->step_count + 1);
}

bool record_undo(Record *record) {
    for (size_t step = record->step_count; step-- > 0;) {
        int actor = actor_at(record, &record->states[step]);
        if (actor >= 0 && is_person(record, actor)) {
            record_cut(record, step);
            return true;
        }
    }
    return false;
}
