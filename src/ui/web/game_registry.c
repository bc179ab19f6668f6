#include "ui/web/game_registry.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CACHED_MAX = 512, CHANGES_STEP = 64 };

static const Phrase out_of_memory = {{"out of memory", "메모리가 부족합니다"}},
                    no_such_game = {{"no such game", "그런 게임이 없습니다"}};

static GameError no_error(void) {
    return (GameError){.code = 0};
}

/* --- games in memory --- */

void game_registry_init(GameRegistry *registry, Archive *archive) {
    *registry = (GameRegistry){.archive = archive};
    pthread_mutex_init(&registry->lock, NULL);
}

static void free_game(HostedGame *game) {
    record_close(&game->record);
    free(game->changes);
    free(game);
}

void game_registry_free(GameRegistry *registry) {
    for (size_t i = 0; i < GAME_REGISTRY_BUCKETS; i++) {
        while (registry->buckets[i]) {
            HostedGame *game = registry->buckets[i];
            registry->buckets[i] = game->next;
            free_game(game);
        }
    }
    archive_close(registry->archive);
    pthread_mutex_destroy(&registry->lock);
}

static size_t find_bucket(const char *id) {
    size_t hash = 0;
    for (; *id; id++)
        hash = hash * 31 + (unsigned char)*id;
    return hash % GAME_REGISTRY_BUCKETS;
}

/* Drops the least recently used game from memory, of those without listeners or computers at
 * work. */
static void drop_oldest(GameRegistry *registry) {
    HostedGame **oldest = NULL;
    for (size_t i = 0; i < GAME_REGISTRY_BUCKETS; i++)
        for (HostedGame **at = &registry->buckets[i]; *at; at = &(*at)->next)
            if (!(*at)->listeners && !(*at)->is_scheduled &&
                (!oldest || (*at)->used < (*oldest)->used))
                oldest = at;
    if (!oldest)
        return;
    HostedGame *game = *oldest;
    *oldest = game->next;
    registry->count--;
    free_game(game);
}

static void add_game(GameRegistry *registry, HostedGame *game) {
    HostedGame **bucket = &registry->buckets[find_bucket(game->id)];
    if (registry->count >= CACHED_MAX)
        drop_oldest(registry);
    game->used = ++registry->clock;
    game->next = *bucket;
    *bucket = game;
    registry->count++;
}

/* --- games in the archive --- */

/* The game as the text that is stored; NULL if out of memory. */
static char *print_game(const HostedGame *game) {
    char *record = record_print(&game->record);
    json_t *seats = json_array();
    for (int i = 0; i < hosted_game_player_count(game); i++) {
        char hash[SECRET_COMMITMENT_BYTES];
        secret_hash_print(&game->seats[i].token_hash, hash);
        json_array_append_new(seats, json_pack("{s:i, s:s, s:b}", "kind", (int)game->seats[i].kind,
                                               "print", hash, "undo", game->seats[i].asks_undo));
    }
    json_t *json = json_pack("{s:s?, s:o, s:i, s:s, s:I, s:I}", "record", record, "seats", seats,
                             "undo_for", (int)game->undo_for, "salt", game->salt, "given",
                             (json_int_t)game->given, "version", (json_int_t)game->version);
    char *text = record ? json_dumps(json, JSON_COMPACT) : NULL;
    json_decref(json);
    free(record);
    return text;
}

static bool read_seats(HostedGame *game, const json_t *seats) {
    for (int i = 0; i < hosted_game_player_count(game); i++) {
        int kind = 0, undo = 0;
        const char *hash;
        if (json_unpack(json_array_get(seats, (size_t)i), "{s:i, s:s, s:b}", "kind", &kind, "print",
                        &hash, "undo", &undo) != 0 ||
            kind < SEAT_HERE || kind > SEAT_COMPUTER ||
            !secret_hash_parse(hash, &game->seats[i].token_hash))
            return false;
        game->seats[i].kind = (SeatKind)kind;
        game->seats[i].asks_undo = undo != 0;
    }
    return true;
}

static Status parse_game(const char *id, const char *text, HostedGame *game) {
    const char *record, *salt;
    json_int_t given, version;
    int undo_for;
    const json_t *seats;
    json_t *json = json_loads(text, 0, NULL);
    Status status = status_make(STATUS_FAILED, "the stored game is damaged");
    if (json && json_unpack(json, "{s:s, s:o, s:i, s:s, s:I, s:I}", "record", &record, "seats",
                            &seats, "undo_for", &undo_for, "salt", &salt, "given", &given,
                            "version", &version) == 0) {
        status = record_parse(record, &game->record);
        snprintf(game->id, sizeof game->id, "%s", id);
        snprintf(game->salt, sizeof game->salt, "%s", salt);
        game->given = (size_t)given;
        game->undo_for = (unsigned)undo_for;
        game->version = game->first_version = (uint64_t)version;
        if (status_is_ok(&status) && !read_seats(game, seats))
            status = status_make(STATUS_FAILED, "the stored game is damaged");
        secret_commit(game->salt, game->record.seed, game->commitment);
    }
    json_decref(json);
    return status;
}

static Status store_game(GameRegistry *registry, const HostedGame *game) {
    char *text = print_game(game);
    if (!text)
        return status_make(STATUS_FAILED, "out of memory");
    Status status = archive_put(registry->archive, game->id, text);
    free(text);
    return status;
}

GameError game_registry_commit(GameRegistry *registry, HostedGame *game, size_t from) {
    uint64_t count = game->version - game->first_version;
    if (count % CHANGES_STEP == 0) {
        size_t *larger = realloc(game->changes, (count + CHANGES_STEP) * sizeof *larger);
        if (!larger)
            return game_error_make(500, out_of_memory);
        game->changes = larger;
    }
    game->version++;
    Status status = store_game(registry, game);
    if (!status_is_ok(&status)) {
        game->version--;
        return game_error_from_status(500, &status);
    }
    game->changes[count] = from;
    game->trouble[0] = '\0'; /* the computer tries again */
    game->used = ++registry->clock;
    if (registry->on_change)
        registry->on_change(game);
    return no_error();
}

GameError game_registry_find(GameRegistry *registry, const char *id, HostedGame **game) {
    if (!secret_is_text(id))
        return game_error_make(404, no_such_game);
    for (HostedGame *at = registry->buckets[find_bucket(id)]; at; at = at->next) {
        if (strcmp(at->id, id) == 0) {
            at->used = ++registry->clock;
            *game = at;
            return no_error();
        }
    }
    char *text;
    Status status = archive_get(registry->archive, id, &text);
    if (!status_is_ok(&status))
        return game_error_from_status(500, &status);
    if (!text)
        return game_error_make(404, no_such_game);
    HostedGame *found = calloc(1, sizeof *found);
    status = found ? parse_game(id, text, found) : status_make(STATUS_FAILED, "out of memory");
    free(text);
    if (!status_is_ok(&status)) {
        if (found)
            free_game(found);
        return game_error_from_status(500, &status);
    }
    add_game(registry, found);
    *game = found;
    return no_error();
}

/* --- new games --- */

/* Draws the secrets of a new game, stores it and adds it to the registry. Frees it on failure. */
static GameError add_new_game(GameRegistry *registry, HostedGame *game, SeatTokens *tokens) {
    secret_draw(game->id);
    secret_draw(game->salt);
    secret_draw(tokens->here);
    for (int i = 0; i < hosted_game_player_count(game); i++) {
        secret_draw(tokens->links[i]);
        if (game->seats[i].kind == SEAT_HERE)
            game->seats[i].token_hash = secret_hash_token(tokens->here);
        else if (game->seats[i].kind == SEAT_LINK)
            game->seats[i].token_hash = secret_hash_token(tokens->links[i]);
    }
    game->record.seed = secret_draw_seed();
    secret_commit(game->salt, game->record.seed, game->commitment);
    Status status = store_game(registry, game);
    if (!status_is_ok(&status)) {
        free_game(game);
        return game_error_from_status(500, &status);
    }
    add_game(registry, game);
    return no_error();
}

GameError game_registry_create(GameRegistry *registry, const GamePlan *plan, SeatTokens *tokens,
                               HostedGame **game) {
    Seat seats[GAME_PLAYERS_MAX], person;
    Status status = seat_parse("you", &person);
    assert(status_is_ok(&status));
    HostedGame *made = calloc(1, sizeof *made);
    if (!made)
        return game_error_make(500, out_of_memory);
    for (int i = 0; i < GAME_PLAYERS_MAX; i++) {
        made->seats[i].kind = plan->kinds[i];
        seats[i] = plan->kinds[i] == SEAT_COMPUTER ? plan->seats[i] : person;
    }
    status = record_open(&plan->variant, seats, 0, &plan->start, &made->record);
    if (!status_is_ok(&status)) {
        free_game(made);
        return game_error_from_status(500, &status);
    }
    *game = made;
    return add_new_game(registry, made, tokens);
}

GameError game_registry_import(GameRegistry *registry, const char *text, SeatTokens *tokens,
                               HostedGame **game) {
    HostedGame *made = calloc(1, sizeof *made);
    if (!made)
        return game_error_make(500, out_of_memory);
    Status status = record_parse(text, &made->record);
    if (status_is_ok(&status) && made->record.step_count > HOSTED_GAME_STEPS_MAX)
        status =
            status_make(STATUS_USAGE, "the record has more than %d steps", HOSTED_GAME_STEPS_MAX);
    if (!status_is_ok(&status)) {
        free_game(made);
        return game_error_from_status(400, &status);
    }
    for (int i = 0; i < hosted_game_player_count(made); i++)
        made->seats[i].kind = made->record.seats[i].kind->open ? SEAT_COMPUTER : SEAT_HERE;
    made->given = made->record.step_count;
    *game = made;
    return add_new_game(registry, made, tokens);
}
