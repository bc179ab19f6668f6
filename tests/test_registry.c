/* The registry of hosted games: what is in memory, what is loaded again, and what becomes of
 * changes that can or cannot be stored. The archive is a real one; the committer stores when it is
 * told to.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "testing.h"
#include "ui/web/game_registry.h"
#include "values/registry.h"

enum { CACHED_MAX = 2048, PENDING_MAX = 16 };

static struct {
    GameRegistry registry;
    char folder[64];
    Commit *pending[PENDING_MAX]; /* submitted, but not stored yet */
    size_t pending_count;
    int loads;             /* how often the archive was asked for a game */
    int settled, unstored; /* how often on_settled was called, by what it was told */
} fixture;

static GameRegistry *const registry = &fixture.registry;

/* The linker's names, by its option --wrap: the ordinary function, and what is called instead. */
void hold_commit(Committer *committer, Commit *commit) __asm__("__wrap_committer_submit");
Status count_load(Archive *archive, const char *id,
                  ArchivedGame *game) __asm__("__wrap_archive_load");
Status load_really(Archive *archive, const char *id,
                   ArchivedGame *game) __asm__("__real_archive_load");

void hold_commit(Committer *committer, Commit *commit) {
    (void)committer;
    assert_true(fixture.pending_count < PENDING_MAX);
    fixture.pending[fixture.pending_count++] = commit;
}

Status count_load(Archive *archive, const char *id, ArchivedGame *game) {
    fixture.loads++;
    return load_really(archive, id, game);
}

/* Does what the committer does with all that was submitted. The registry's lock is released
 * meanwhile. */
static void finish_pending(const Status *status) {
    size_t count = fixture.pending_count;
    fixture.pending_count = 0;
    pthread_mutex_unlock(&registry->lock);
    for (size_t i = 0; i < count; i++)
        fixture.pending[i]->done(fixture.pending[i], status);
    pthread_mutex_lock(&registry->lock);
}

static void store_pending(void) {
    Status fine = status_ok();
    assert_ok(archive_begin(registry->archive));
    for (size_t i = 0; i < fixture.pending_count; i++)
        assert_ok(archive_put(registry->archive, &fixture.pending[i]->change));
    assert_ok(archive_commit(registry->archive));
    finish_pending(&fine);
}

static void fail_pending(void) {
    Status status = status_make(STATUS_FAILED, "the disk is full");
    finish_pending(&status);
}

static void note_settled(GameRegistry *of, HostedGame *game, bool is_stored) {
    assert_ptr_equal(of, registry);
    assert_int_equal(game->phase, GAME_SETTLED);
    *(is_stored ? &fixture.settled : &fixture.unstored) += 1;
}

static void begin_registry(void) {
    Archive *archive;
    assert_ok(archive_open(fixture.folder, false, &archive));
    game_registry_init(registry, archive, 0);
    registry->on_settled = note_settled;
    assert_ok(archive_count(archive, &registry->created));
    pthread_mutex_lock(&registry->lock);
}

static void end_registry(void) {
    assert_int_equal(fixture.pending_count, 0);
    pthread_mutex_unlock(&registry->lock);
    game_registry_free(registry);
}

/* Forgets what is in memory. */
static void restart(void) {
    end_registry();
    begin_registry();
}

static int open_fixture(void **state) {
    (void)state;
    memset(&fixture, 0, sizeof fixture);
    snprintf(fixture.folder, sizeof fixture.folder, "/tmp/malpan-registry-XXXXXX");
    assert_non_null(mkdtemp(fixture.folder));
    begin_registry();
    return 0;
}

static int close_fixture(void **state) {
    (void)state;
    char command[96];
    end_registry();
    snprintf(command, sizeof command, "rm -r %s", fixture.folder);
    return system(command);
}

/* --- games --- */

/* A race of a person here against one with a link. */
static GamePlan make_plan(void) {
    const Game *game = NULL;
    GamePlan plan = {.kinds = {SEAT_HERE, SEAT_LINK}};
    assert_ok(registry_find("race", &game));
    assert_ok(variant_parse(game, "", &plan.variant));
    plan.start = game->tree.start(&plan.variant.rules);
    return plan;
}

/* Adds a new game, which is not stored yet. */
static HostedGame *add_game(const char *key, SeatTokens *tokens) {
    GamePlan plan = make_plan();
    HostedGame *made = new_game_prepare(&plan, key, tokens), *game;
    assert_non_null(made);
    assert_int_equal(game_registry_add(registry, made, key, tokens, &game).code, 0);
    return game;
}

/* Creates a game; `id` receives its id. */
static HostedGame *create_game(char id[SECRET_TEXT_BYTES]) {
    SeatTokens tokens;
    HostedGame *game = add_game(NULL, &tokens);
    store_pending();
    snprintf(id, SECRET_TEXT_BYTES, "%s", game->id);
    return game;
}

static HostedGame *find_game(const char *id) {
    HostedGame *game;
    GameError error = game_registry_find(registry, id, &game);
    if (error.code != 0)
        fail_msg("%s", error.message);
    return game;
}

static unsigned find_error(const char *id) {
    HostedGame *game;
    return game_registry_find(registry, id, &game).code;
}

/* Throws for whoever is to throw. */
static void throw_sticks(HostedGame *game) {
    GameError error = hosted_game_play(registry, game, 3, game->record.step_count, NULL);
    assert_int_equal(error.code, 0);
    assert_int_equal(game->phase, GAME_COMMITTING);
}

typedef struct Waiting {
    GameWaiter waiter;
    int resumed;
    unsigned code;
} Waiting;

static void resume(GameWaiter *waiter, const GameError *error) {
    Waiting *waiting = (Waiting *)waiter;
    waiting->resumed++;
    waiting->code = error->code;
}

static Waiting make_waiting(void) {
    return (Waiting){.waiter.resume = resume};
}

/* --- creating and finding --- */

static void a_stored_game_is_loaded_as_it_was(void **state) {
    (void)state;
    SeatTokens tokens;
    HostedGame *game = add_game(NULL, &tokens);
    char id[SECRET_TEXT_BYTES], commitment[SECRET_COMMITMENT_BYTES];
    memcpy(id, game->id, sizeof id);
    memcpy(commitment, game->commitment, sizeof commitment);
    assert_int_equal(game->phase, GAME_COMMITTING);
    assert_int_equal(registry->created, 0);
    store_pending();
    assert_int_equal(game->phase, GAME_SETTLED);
    assert_int_equal(registry->created, 1);
    assert_int_equal(fixture.settled, 1);
    throw_sticks(game);
    store_pending();
    assert_ptr_equal(find_game(id), game);
    assert_int_equal(fixture.loads, 0);
    restart();
    assert_int_equal(registry->created, 1);
    game = find_game(id);
    assert_int_equal(fixture.loads, 1);
    assert_int_equal(game->phase, GAME_SETTLED);
    assert_int_equal(game->version, 1);
    assert_int_equal(game->record.step_count, 1);
    assert_string_equal(game->commitment, commitment);
    assert_int_equal(game->seats[0].kind, SEAT_HERE);
    assert_int_equal(game->seats[1].kind, SEAT_LINK);
    assert_int_equal(hosted_game_find_seats(game, tokens.here), 1);
    assert_int_equal(hosted_game_find_seats(game, tokens.links[1]), 2);
    assert_int_equal(hosted_game_find_seats(game, tokens.links[0]), 0);
}

static void unknown_ids_are_not_found(void **state) {
    (void)state;
    char id[SECRET_TEXT_BYTES];
    secret_draw(id);
    assert_int_equal(find_error("no id"), 404);
    assert_int_equal(fixture.loads, 0);
    assert_int_equal(find_error(id), 404);
    assert_int_equal(fixture.loads, 1);
    assert_int_equal(registry->count, 0);
    assert_int_equal(registry->bytes, 0);
}

/* Stores a game with these seats instead of its own; the code of the error when it is loaded. */
static unsigned find_with_seats(const char *seats) {
    SeatTokens tokens;
    char id[SECRET_TEXT_BYTES];
    HostedGame *game = add_game(NULL, &tokens);
    snprintf(id, sizeof id, "%s", game->id);
    fixture.pending[0]->change.seats = seats;
    store_pending();
    restart();
    return find_error(id);
}

static void damaged_seats_are_refused(void **state) {
    (void)state;
    char hash[SECRET_COMMITMENT_BYTES], seats[ARCHIVE_SEATS_BYTES];
    SecretHash any = secret_hash_token("any");
    secret_hash_print(&any, hash);
    static const struct {
        const char *first, *second, *rest; /* around the hashes */
        unsigned code;
    } cases[] = {{"0:", " 2:", "", 0},    {"1:", " 1:", "", 0},   {"3:", " 0:", "", 500},
                 {"0:", " /:", "", 500},  {"0;", " 0:", "", 500}, {"0:", " 0:", "0", 500},
                 {"0:g", " 0:", "", 500}, {"0:", "", "", 500},    {"0:", " 0:", " 0:", 500}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snprintf(seats, sizeof seats, "%s%s%s%s%s", cases[i].first, hash, cases[i].second, hash,
                 cases[i].rest);
        if (find_with_seats(seats) != cases[i].code)
            fail_msg("%s", seats);
        assert_int_equal(registry->count, cases[i].code == 0);
    }
}

/* --- keys --- */

static void a_key_creates_one_game(void **state) {
    (void)state;
    SeatTokens first, again, later, others;
    HostedGame *game = add_game("key", &first);
    assert_ptr_equal(add_game("key", &again), game); /* while it is being stored */
    HostedGame *other = add_game("other key", &others);
    assert_ptr_not_equal(other, game);
    assert_int_equal(fixture.pending_count, 2);
    assert_int_equal(registry->count, 2);
    store_pending();
    assert_ptr_equal(add_game("key", &later), game); /* and afterwards */
    assert_ptr_equal(add_game("other key", &others), other);
    assert_int_equal(fixture.pending_count, 0);
    assert_int_equal(registry->created, 2);
    assert_int_equal(registry->count, 2);
    assert_null(registry->creating);
    for (int i = 0; i < 2; i++) {
        const SeatTokens *tokens = i == 0 ? &again : &later;
        assert_string_equal(tokens->here, first.here);
        assert_string_equal(tokens->links[1], first.links[1]);
    }
    assert_int_equal(hosted_game_find_seats(game, later.here), 1);
    assert_int_equal(hosted_game_find_seats(game, others.here), 0);
}

static void without_a_key_every_game_is_new(void **state) {
    (void)state;
    SeatTokens first, second;
    HostedGame *one = add_game(NULL, &first), *other = add_game(NULL, &second);
    assert_ptr_not_equal(one, other);
    assert_string_not_equal(first.here, second.here);
    store_pending();
    assert_int_equal(registry->created, 2);
}

/* --- changes --- */

/* A request may have begun before, and make its change only now. Reading still works. */
static void nothing_changes_once_the_registry_finishes(void **state) {
    (void)state;
    char id[SECRET_TEXT_BYTES];
    SeatTokens tokens;
    GamePlan plan = make_plan();
    HostedGame *game = create_game(id), *made;
    pthread_mutex_unlock(&registry->lock);
    game_registry_finish(registry);
    pthread_mutex_lock(&registry->lock);
    assert_int_equal(hosted_game_play(registry, game, 1, 0, NULL).code, 503);
    assert_int_equal(game->record.step_count, 0);
    for (int i = 0; i < 2; i++) {
        const char *key = i == 0 ? NULL : "key";
        HostedGame *prepared = new_game_prepare(&plan, key, &tokens);
        assert_non_null(prepared);
        assert_int_equal(game_registry_add(registry, prepared, key, &tokens, &made).code, 503);
    }
    assert_int_equal(fixture.pending_count, 0);
    assert_int_equal(registry->count, 1);
    assert_null(registry->creating);
    assert_ptr_equal(find_game(id), game);
}

/* --- texts that would not read back --- */

static void print_other_state(const Rules *rules, const State *state, Text *text) {
    (void)rules, (void)state;
    text_add(text, "5 5 1"); /* a position, but not this one */
}

static void print_other_move(const Rules *rules, const State *state, Move move, Lang lang,
                             Text *text) {
    Chance chances[GAME_CHANCES_MAX];
    uint64_t whole;
    const Game *game = NULL;
    assert_ok(registry_find("race", &game));
    game->tree.chances(rules, state, chances, &whole);
    Move other = chances[0].move == move ? chances[1].move : chances[0].move;
    game->text.print_move(rules, state, other, lang, text);
}

/* A game or step is stored only if its text means the same. */
static void what_does_not_read_back_is_not_stored(void **state) {
    (void)state;
    GamePlan plan = make_plan();
    Game broken = *plan.variant.game;
    SeatTokens tokens;
    char id[SECRET_TEXT_BYTES];
    HostedGame *game = create_game(id);
    const Game *sound = plan.variant.game;
    broken.text.print_state = print_other_state;
    plan.variant.game = &broken;
    assert_null(new_game_prepare(&plan, NULL, &tokens));
    broken.text.print_move = print_other_move;
    game->record.variant.game = &broken;
    assert_int_equal(hosted_game_play(registry, game, 1, 0, NULL).code, 500);
    assert_int_equal(game->record.step_count, 0);
    assert_int_equal(game->phase, GAME_SETTLED);
    assert_int_equal(fixture.pending_count, 0);
    game->record.variant.game = sound;
    assert_int_equal(hosted_game_play(registry, game, 1, 0, NULL).code, 0);
    store_pending();
    assert_int_equal(game->record.step_count, 1);
}

static void a_game_that_cannot_be_stored_is_gone(void **state) {
    (void)state;
    SeatTokens tokens;
    char id[SECRET_TEXT_BYTES];
    HostedGame *game = add_game("key", &tokens), *next = add_game(NULL, &tokens);
    Waiting creator = make_waiting(), other = make_waiting();
    snprintf(id, sizeof id, "%s", game->id);
    game->change.waiter = &creator.waiter;
    game_registry_wait(game, &other.waiter);
    assert_ptr_not_equal(next, game);
    fail_pending();
    assert_int_equal(creator.resumed, 1);
    assert_int_equal(creator.code, 500);
    assert_int_equal(other.resumed, 1);
    assert_int_equal(other.code, 0); /* it looks again, and finds nothing */
    assert_int_equal(fixture.settled + fixture.unstored, 0);
    assert_int_equal(registry->count, 0);
    assert_int_equal(registry->created, 0);
    assert_null(registry->creating);
    assert_int_equal(find_error(id), 404);
    assert_int_not_equal(add_game("key", &tokens)->phase, GAME_SETTLED); /* it may be tried again */
    store_pending();
}

static void a_step_that_cannot_be_stored_is_undone(void **state) {
    (void)state;
    char id[SECRET_TEXT_BYTES];
    HostedGame *game = create_game(id);
    Waiting waiting = make_waiting();
    game->undo_for = 2;
    game->seats[1].asks_undo = true;
    game->given = 0;
    throw_sticks(game);
    Move thrown = game->record.moves[0];
    assert_int_equal(game->undo_for, 0);
    game->change.waiter = &waiting.waiter;
    fail_pending();
    assert_int_equal(waiting.resumed, 1);
    assert_int_equal(waiting.code, 500);
    assert_int_equal(fixture.unstored, 1);
    assert_int_equal(game->phase, GAME_SETTLED);
    assert_int_equal(game->version, 0);
    assert_int_equal(game->record.step_count, 0);
    assert_int_equal(game->undo_for, 2);
    assert_true(game->seats[1].asks_undo);
    throw_sticks(game); /* the same throw: nobody draws again by filling the disk */
    assert_int_equal(game->record.moves[0], thrown);
    game->change.waiter = &waiting.waiter;
    store_pending();
    assert_int_equal(waiting.resumed, 2);
    assert_int_equal(waiting.code, 0);
    assert_int_equal(game->version, 1);
    assert_int_equal(game->record.step_count, 1);
}

static void changes_tell_the_first_step_they_affect(void **state) {
    (void)state;
    enum { CHANGES = 200 };
    char id[SECRET_TEXT_BYTES];
    HostedGame *game = create_game(id);
    throw_sticks(game);
    store_pending();
    for (int i = 0; i < CHANGES; i++) { /* which leave the steps alone */
        hosted_game_report_trouble(registry, game, i % 2 == 0 ? "tired" : "");
        store_pending();
        assert_string_equal(game->trouble, i % 2 == 0 ? "tired" : "");
    }
    assert_int_equal(game->version, CHANGES + 1);
    assert_int_equal(game->changes[0], 0);
    for (int i = 1; i <= CHANGES; i++)
        assert_int_equal(game->changes[i], 1);
}

/* --- waiting --- */

static void all_who_wait_are_woken(void **state) {
    (void)state;
    char id[SECRET_TEXT_BYTES];
    HostedGame *game = create_game(id);
    Waiting all[3];
    throw_sticks(game);
    for (int i = 0; i < 3; i++) {
        all[i] = make_waiting();
        game_registry_wait(game, &all[i].waiter);
    }
    store_pending();
    for (int i = 0; i < 3; i++)
        assert_int_equal(all[i].resumed, 1);
    throw_sticks(create_game(id));
    store_pending();
    for (int i = 0; i < 3; i++)
        assert_int_equal(all[i].resumed, 1);
}

/* Finds the game with this id once it is settled, and returns it. */
static void *find_settled(void *id) {
    HostedGame *game = NULL;
    pthread_mutex_lock(&registry->lock);
    GameError error = game_registry_find_settled(registry, id, &game);
    bool is_settled = error.code == 0 && game->phase == GAME_SETTLED;
    pthread_mutex_unlock(&registry->lock);
    return is_settled ? game : NULL;
}

static void a_thread_waits_until_the_game_is_settled(void **state) {
    (void)state;
    pthread_t thread;
    void *found;
    char id[SECRET_TEXT_BYTES];
    HostedGame *game = create_game(id);
    throw_sticks(game);
    assert_int_equal(pthread_create(&thread, NULL, find_settled, id), 0);
    pthread_mutex_unlock(&registry->lock); /* so that it may begin to wait */
    usleep(1000);
    pthread_mutex_lock(&registry->lock);
    store_pending();
    pthread_mutex_unlock(&registry->lock);
    pthread_join(thread, &found);
    pthread_mutex_lock(&registry->lock);
    assert_ptr_equal(found, game);
}

/* --- the games in memory --- */

/* Fills the memory with games; the ids of the first few. */
static void fill_memory(char ids[][SECRET_TEXT_BYTES], size_t count) {
    char id[SECRET_TEXT_BYTES];
    for (size_t i = 0; i < CACHED_MAX; i++)
        create_game(i < count ? ids[i] : id);
    assert_int_equal(registry->count, CACHED_MAX);
}

/* The game in memory; NULL: it was dropped. This is no use of it. */
static HostedGame *find_cached(const char *id) {
    HostedGame *game = registry->oldest;
    while (game && strcmp(game->id, id) != 0)
        game = game->newer;
    return game;
}

static bool is_cached(const char *id) {
    return find_cached(id) != NULL;
}

static void the_oldest_game_is_dropped(void **state) {
    (void)state;
    char ids[3][SECRET_TEXT_BYTES], id[SECRET_TEXT_BYTES];
    fill_memory(ids, 3);
    find_game(ids[0]); /* now the second is the oldest */
    create_game(id);
    assert_int_equal(registry->count, CACHED_MAX);
    assert_true(is_cached(ids[0]) && !is_cached(ids[1]) && is_cached(ids[2]) && is_cached(id));
    find_game(ids[1]);
    assert_int_equal(fixture.loads, 1);
    assert_int_equal(registry->count, CACHED_MAX);
    assert_true(is_cached(ids[0]) && is_cached(ids[1]) && !is_cached(ids[2]));
    throw_sticks(find_game(ids[2])); /* and each still can be played */
    store_pending();
}

static void games_in_use_are_not_dropped(void **state) {
    (void)state;
    enum { SCHEDULED, WATCHED, COMMITTING, UNUSED, COUNT };
    char ids[COUNT][SECRET_TEXT_BYTES], id[SECRET_TEXT_BYTES];
    HostedGame *games[COUNT];
    fill_memory(ids, COUNT);
    for (int i = 0; i < COUNT; i++) {
        games[i] = find_cached(ids[i]);
        assert_non_null(games[i]);
    }
    games[SCHEDULED]->is_scheduled = true;
    games[WATCHED]->listeners = (Listener *)id; /* anything */
    games[COMMITTING]->phase = GAME_COMMITTING;
    create_game(id);
    assert_int_equal(registry->count, CACHED_MAX);
    assert_false(is_cached(ids[UNUSED]));
    for (int i = 0; i < UNUSED; i++)
        assert_true(is_cached(ids[i]));
    games[SCHEDULED]->is_scheduled = false;
    games[WATCHED]->listeners = NULL;
    games[COMMITTING]->phase = GAME_SETTLED;
    create_game(id);
    assert_false(is_cached(ids[SCHEDULED]));
    assert_true(is_cached(ids[WATCHED]) && is_cached(ids[COMMITTING]));
}

#define REGISTRY_TEST(name) cmocka_unit_test_setup_teardown(name, open_fixture, close_fixture)

int main(void) {
    const struct CMUnitTest tests[] = {
        REGISTRY_TEST(a_stored_game_is_loaded_as_it_was),
        REGISTRY_TEST(unknown_ids_are_not_found),
        REGISTRY_TEST(damaged_seats_are_refused),
        REGISTRY_TEST(a_key_creates_one_game),
        REGISTRY_TEST(without_a_key_every_game_is_new),
        REGISTRY_TEST(nothing_changes_once_the_registry_finishes),
        REGISTRY_TEST(what_does_not_read_back_is_not_stored),
        REGISTRY_TEST(a_game_that_cannot_be_stored_is_gone),
        REGISTRY_TEST(a_step_that_cannot_be_stored_is_undone),
        REGISTRY_TEST(changes_tell_the_first_step_they_affect),
        REGISTRY_TEST(all_who_wait_are_woken),
        REGISTRY_TEST(a_thread_waits_until_the_game_is_settled),
        REGISTRY_TEST(the_oldest_game_is_dropped),
        REGISTRY_TEST(games_in_use_are_not_dropped),
    };
    return secret_init() ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}
