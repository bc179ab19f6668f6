#include "ui/web/game_registry.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/web/seat_text.h"

enum { CACHED_MAX = 2048, CACHED_BYTES_MAX = 24 << 20, CHANGES_STEP = 64 };

static const Phrase out_of_memory = {{"out of memory", "메모리가 부족합니다"}},
                    no_such_game = {{"no such game", "그런 게임이 없습니다"}},
                    view_only = {{"games can be viewed but not changed at the moment",
                                  "지금은 게임을 볼 수만 있고 둘 수는 없습니다"}},
                    stopping = {{"the server is stopping", "서버를 종료하는 중입니다"}};

static GameError no_error(void) {
    return (GameError){.code = 0};
}

/* --- games in memory --- */

void game_registry_init(GameRegistry *registry, Archive *archive, uint64_t keep_seconds) {
    *registry = (GameRegistry){.archive = archive};
    committer_init(&registry->committer, archive, keep_seconds);
    pthread_mutex_init(&registry->lock, NULL);
    pthread_cond_init(&registry->settled, NULL);
}

Status game_registry_start(GameRegistry *registry) {
    Status status = archive_count(registry->archive, &registry->created);
    return status_is_ok(&status) ? committer_start(&registry->committer) : status;
}

void game_registry_finish(GameRegistry *registry) {
    /* A request may have begun before the server was told to stop, and make its change only now. */
    pthread_mutex_lock(&registry->lock);
    assert(registry->phase == GAME_REGISTRY_OPEN);
    registry->phase = GAME_REGISTRY_FINISHING;
    pthread_mutex_unlock(&registry->lock);
    committer_finish(&registry->committer);
}

void game_registry_free(GameRegistry *registry) {
    while (registry->oldest) {
        HostedGame *game = registry->oldest;
        registry->oldest = game->newer;
        hosted_game_free(game);
    }
    committer_free(&registry->committer);
    archive_close(registry->archive);
    pthread_cond_destroy(&registry->settled);
    pthread_mutex_destroy(&registry->lock);
}

static HostedGame **find_bucket(GameRegistry *registry, const char *id) {
    size_t hash = 0;
    for (; *id; id++)
        hash = hash * 31 + (unsigned char)*id;
    return &registry->buckets[hash % GAME_REGISTRY_BUCKETS];
}

static void unlink_from_order(GameRegistry *registry, HostedGame *game) {
    *(game->older ? &game->older->newer : &registry->oldest) = game->newer;
    *(game->newer ? &game->newer->older : &registry->newest) = game->older;
}

static void link_as_newest(GameRegistry *registry, HostedGame *game) {
    game->older = registry->newest;
    game->newer = NULL;
    *(game->older ? &game->older->newer : &registry->oldest) = game;
    registry->newest = game;
}

static void note_use(GameRegistry *registry, HostedGame *game) {
    unlink_from_order(registry, game);
    link_as_newest(registry, game);
}

/* Brings the number of bytes that the game takes up to date. */
static void count_bytes(GameRegistry *registry, HostedGame *game) {
    registry->bytes -= game->bytes;
    game->bytes = sizeof *game + game->record.capacity * (sizeof(State) + sizeof(Move));
    registry->bytes += game->bytes;
}

static void remove_game(GameRegistry *registry, HostedGame *game) {
    HostedGame **at = find_bucket(registry, game->id);
    while (*at != game)
        at = &(*at)->next;
    *at = game->next;
    unlink_from_order(registry, game);
    registry->count--;
    registry->bytes -= game->bytes;
}

static bool may_drop(const HostedGame *game) {
    return game->phase == GAME_SETTLED && !game->listeners && !game->is_scheduled;
}

/* Drops the games that were not used for longest, until the rest fits. */
static void drop_old_games(GameRegistry *registry) {
    HostedGame *game = registry->oldest;
    while (game && (registry->count > CACHED_MAX || registry->bytes > CACHED_BYTES_MAX)) {
        HostedGame *newer = game->newer;
        if (newer && may_drop(game)) { /* the newest is in use */
            remove_game(registry, game);
            hosted_game_free(game);
        }
        game = newer;
    }
}

static void add_game(GameRegistry *registry, HostedGame *game) {
    HostedGame **bucket = find_bucket(registry, game->id);
    game->next = *bucket;
    *bucket = game;
    link_as_newest(registry, game);
    registry->count++;
    count_bytes(registry, game);
}

/* --- waiting --- */

void game_registry_wait(HostedGame *game, GameWaiter *waiter) {
    assert(game->phase != GAME_SETTLED);
    waiter->next = game->waiters;
    game->waiters = waiter;
}

/* Wakes all who wait for the game, which is settled now or about to be freed. */
static void wake_waiters(GameRegistry *registry, HostedGame *game) {
    GameError none = no_error();
    while (game->waiters) {
        GameWaiter *waiter = game->waiters;
        game->waiters = waiter->next;
        waiter->resume(waiter, &none);
    }
    pthread_cond_broadcast(&registry->settled);
}

GameError game_registry_find_settled(GameRegistry *registry, const char *id, HostedGame **game) {
    for (;;) {
        GameError error = game_registry_find(registry, id, game);
        if (error.code != 0 || (*game)->phase == GAME_SETTLED)
            return error;
        pthread_cond_wait(&registry->settled, &registry->lock);
    }
}

/* --- loading --- */

/* STATUS_USAGE if the game is damaged, STATUS_FAILED if out of memory. */
static Status parse_game(const ArchivedGame *archived, HostedGame *game) {
    Status status = record_parse(archived->record, &game->record);
    if (!status_is_ok(&status))
        return status;
    memcpy(game->salt, archived->salt, sizeof game->salt);
    game->given = (size_t)archived->state.given;
    game->undo_for = archived->state.undo_for;
    game->version = game->first_version = archived->state.version;
    if (!seat_text_parse(archived->seats, archived->state.undo_asked, game))
        return status_make(STATUS_USAGE, "the stored game is damaged");
    secret_commit(game->salt, game->record.seed, game->commitment);
    return status;
}

/* Reads a game of phase GAME_LOADING from the archive. The lock is not held: until the phase
 * changes, only this thread touches the game. */
static GameError load_game(GameRegistry *registry, HostedGame *game) {
    ArchivedGame archived;
    Status status = archive_load(registry->archive, game->id, &archived);
    if (!status_is_ok(&status))
        return game_error_from_status(503, &status);
    if (!archived.record)
        return game_error_make(404, no_such_game);
    status = parse_game(&archived, game);
    free(archived.record);
    return game_error_from_status(status.code == STATUS_FAILED ? 503 : 500, &status);
}

/* Adds a game of phase GAME_LOADING, loads it, and wakes those who wanted it meanwhile. */
static GameError find_in_archive(GameRegistry *registry, const char *id, HostedGame **game) {
    HostedGame *loaded = calloc(1, sizeof *loaded);
    if (!loaded)
        return game_error_make(503, out_of_memory);
    snprintf(loaded->id, sizeof loaded->id, "%s", id);
    loaded->phase = GAME_LOADING;
    add_game(registry, loaded);
    pthread_mutex_unlock(&registry->lock);
    GameError error = load_game(registry, loaded);
    pthread_mutex_lock(&registry->lock);
    loaded->phase = GAME_SETTLED;
    wake_waiters(registry, loaded);
    if (error.code != 0) {
        remove_game(registry, loaded);
        hosted_game_free(loaded);
        return error;
    }
    count_bytes(registry, loaded);
    note_use(registry, loaded);
    drop_old_games(registry);
    *game = loaded;
    return error;
}

GameError game_registry_find(GameRegistry *registry, const char *id, HostedGame **game) {
    if (!secret_is_text(id))
        return game_error_make(404, no_such_game);
    for (HostedGame *at = *find_bucket(registry, id); at; at = at->next) {
        if (strcmp(at->id, id) == 0) {
            note_use(registry, at);
            *game = at;
            return no_error();
        }
    }
    return find_in_archive(registry, id, game);
}

/* --- changes --- */

/* Prints the last step as a line of the record, and checks that it reads back as the same. */
static bool print_step(const Record *record, char step[ARCHIVE_STEP_BYTES]) {
    const Variant *variant = &record->variant;
    size_t last = record->step_count - 1;
    const State *before = &record->states[last];
    Text text = text_over(step, ARCHIVE_STEP_BYTES);
    int actor = variant->game->tree.actor(&variant->rules, before);
    Move parsed;
    if (actor == GAME_CHANCE)
        text_add(&text, "* ");
    else
        text_addf(&text, "%d ", actor);
    const char *move = step + text.length;
    variant->game->text.print_move(&variant->rules, before, record->moves[last], LANG_EN, &text);
    Status status = variant->game->text.parse_move(&variant->rules, before, move, LANG_EN, &parsed);
    return status_is_ok(&status) && !text.truncated && parsed == record->moves[last];
}

static unsigned undo_asked(const HostedGame *game) {
    unsigned asked = 0;
    for (int i = 0; i < GAME_PLAYERS_MAX; i++)
        asked |= (unsigned)game->seats[i].asks_undo << i;
    return asked;
}

/* Makes room for one more entry in the list of changes. */
static bool reserve_change(HostedGame *game) {
    uint64_t count = game->version - game->first_version;
    if (count % CHANGES_STEP != 0)
        return true;
    size_t *larger = realloc(game->changes, (count + CHANGES_STEP) * sizeof *larger);
    if (larger)
        game->changes = larger;
    return larger != NULL;
}

/* Publishes a change that is stored. */
static void publish_change(GameRegistry *registry, HostedGame *game) {
    GameChange *change = &game->change;
    if (change->is_new) {
        registry->created++;
    } else {
        game->changes[game->version - game->first_version] = change->from;
        game->version++;
        /* Unless there is new trouble, the computer tries again. */
        memcpy(game->trouble, change->trouble, sizeof game->trouble);
    }
    count_bytes(registry, game);
    note_use(registry, game);
}

static void unlink_new(GameRegistry *registry, HostedGame *game) {
    HostedGame **at = &registry->creating;
    while (*at != game)
        at = &(*at)->change.next_new;
    *at = game->change.next_new;
}

/* What a client is told about the outcome of its change. Why nothing can be stored, and where, is
 * for the operator, who was told at the start. */
static GameError find_commit_error(const GameRegistry *registry, const Status *status) {
    if (status_is_ok(status))
        return no_error();
    if (archive_why_read_only(registry->archive))
        return game_error_make(503, view_only);
    return game_error_make(500, (Phrase){{status->message, "변경을 저장하지 못했습니다"}});
}

/* Called by the committer. The game is settled afterwards, as changed or as before. */
static void finish_change(Commit *commit, const Status *status) {
    HostedGame *game = (HostedGame *)((char *)commit - offsetof(HostedGame, change.commit));
    GameChange *change = &game->change;
    GameRegistry *registry = change->registry;
    GameError error = find_commit_error(registry, status);
    pthread_mutex_lock(&registry->lock);
    assert(game->phase == GAME_COMMITTING);
    game->phase = GAME_SETTLED;
    bool is_dropped = change->is_new && error.code != 0;
    if (change->is_new)
        unlink_new(registry, game);
    free(change->record);
    change->record = NULL;
    if (error.code == 0)
        publish_change(registry, game);
    else if (!is_dropped)
        hosted_game_restore(game, &change->before);
    if (change->waiter)
        change->waiter->resume(change->waiter, &error);
    change->waiter = NULL;
    wake_waiters(registry, game);
    if (is_dropped) {
        remove_game(registry, game);
        hosted_game_free(game);
    } else {
        registry->on_settled(registry, game, error.code == 0);
    }
    drop_old_games(registry);
    pthread_mutex_unlock(&registry->lock);
}

/* Hands the change of the game to the committer. */
static void submit_change(GameRegistry *registry, HostedGame *game, ArchiveChange stored) {
    GameChange *change = &game->change;
    assert(game->phase == GAME_SETTLED);
    game->phase = GAME_COMMITTING;
    change->registry = registry;
    change->game = game;
    change->waiter = NULL;
    stored.id = game->id;
    stored.state.given = game->given;
    stored.state.undo_for = game->undo_for;
    stored.state.undo_asked = undo_asked(game);
    change->commit = (Commit){.change = stored, .done = finish_change};
    committer_submit(&registry->committer, &change->commit);
}

GameError game_registry_commit(GameRegistry *registry, HostedGame *game, const UndoState *before,
                               const char *trouble) {
    GameChange *change = &game->change;
    size_t count = game->record.step_count;
    bool has_step = count > before->step_count;
    assert(count <= before->step_count + 1);
    if (registry->phase != GAME_REGISTRY_OPEN)
        return game_error_make(503, stopping);
    if (!reserve_change(game))
        return game_error_make(503, out_of_memory);
    if (has_step && !print_step(&game->record, change->step))
        return game_error_make(500, (Phrase){{"the step cannot be stored", NULL}});
    change->is_new = false;
    change->before = *before;
    change->from = has_step ? before->step_count : count;
    snprintf(change->trouble, sizeof change->trouble, "%s", trouble);
    bool has_seats = hosted_game_seats_changed(game, before);
    if (has_seats)
        seat_text_print(game, change->seats);
    submit_change(registry, game,
                  (ArchiveChange){.state.version = game->version + 1,
                                  .kept = change->from,
                                  .step = has_step ? change->step : NULL,
                                  .seats = has_seats ? change->seats : NULL});
    return no_error();
}

/* --- new games --- */

/* The game that is being created with this key; NULL if there is none. */
static HostedGame *find_creating(GameRegistry *registry, const char *key_hash) {
    HostedGame *game = registry->creating;
    while (game && strcmp(game->change.key_hash, key_hash) != 0)
        game = game->change.next_new;
    return game;
}

/* Removes a new game that will not be created. */
static void discard_new(GameRegistry *registry, HostedGame *game) {
    unlink_new(registry, game);
    wake_waiters(registry, game);
    remove_game(registry, game);
    hosted_game_free(game);
}

/* Finds the game that an earlier request with the key created. `game` is NULL, without an error, if
 * there is none. The lock is released meanwhile. */
static GameError find_created(GameRegistry *registry, const char *key, SeatTokens *tokens,
                              HostedGame **game) {
    char hash[SECRET_COMMITMENT_BYTES], id[SECRET_TEXT_BYTES], secret[SECRET_TEXT_BYTES];
    new_game_hash_key(key, hash);
    pthread_mutex_unlock(&registry->lock);
    Status status = archive_find_key(registry->archive, hash, id, secret);
    pthread_mutex_lock(&registry->lock);
    *game = NULL;
    if (!status_is_ok(&status))
        return game_error_from_status(503, &status);
    if (!id[0])
        return no_error();
    new_game_make_tokens(key, secret, tokens);
    return game_registry_find(registry, id, game);
}

GameError game_registry_add(GameRegistry *registry, HostedGame *made, const char *key,
                            SeatTokens *tokens, HostedGame **game) {
    GameChange *change = &made->change;
    *game = key ? find_creating(registry, change->key_hash) : NULL;
    if (*game) {
        new_game_make_tokens(key, (*game)->change.key_secret, tokens);
        hosted_game_free(made);
        return no_error();
    }
    /* From here on, other requests with the key find this game and wait. */
    made->phase = GAME_LOADING;
    add_game(registry, made);
    change->next_new = registry->creating;
    registry->creating = made;
    GameError error = key ? find_created(registry, key, tokens, game) : no_error();
    if (error.code == 0 && !*game && registry->phase != GAME_REGISTRY_OPEN)
        error = game_error_make(503, stopping);
    if (error.code != 0 || *game) {
        discard_new(registry, made);
        return error;
    }
    made->phase = GAME_SETTLED;
    submit_change(registry, made,
                  (ArchiveChange){.record = change->record,
                                  .salt = made->salt,
                                  .seats = change->seats,
                                  .key_hash = key ? change->key_hash : NULL,
                                  .key_secret = change->key_secret});
    *game = made;
    return no_error();
}
