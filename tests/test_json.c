/* JSON is complete or not there at all, whichever allocation fails, and nothing leaks. */
#include <string.h>
#include <unistd.h>

#include "play/session.h"
#include "testing.h"
#include "ui/cli/cli.h"
#include "ui/json/build.h"
#include "ui/json/encode.h"
#include "ui/json/print.h"
#include "ui/json/review.h"
#include "ui/web/view.h"
#include "values/evaluate.h"
#include "values/policy.h"

static const SolveLimits limits = {.memory_bytes = (size_t)1 << 26, .threads = 1, .seconds = 0.05};

/* --- memory that runs out --- */

static const size_t NEVER = SIZE_MAX;

/* jansson's allocations, which have no place for a context. */
static struct {
    size_t asked;   /* allocations since the count was last set to 0 */
    size_t failing; /* this one fails; NEVER: none does */
    bool for_good;  /* so do all after it */
    size_t held;    /* allocations that are not freed */
} memory = {.failing = SIZE_MAX};

static void *allocate(size_t bytes) {
    size_t number = memory.asked++;
    if (number == memory.failing || (memory.for_good && number > memory.failing))
        return NULL;
    memory.held++;
    return malloc(bytes);
}

static void release(void *bytes) {
    memory.held -= bytes != NULL;
    free(bytes);
}

static void fail_allocation(size_t failing, bool for_good) {
    memory.asked = 0;
    memory.failing = failing;
    memory.for_good = for_good;
}

/* How many allocations there were since fail_allocation; from now on none fails. */
static size_t end_failures(void) {
    size_t asked = memory.asked;
    fail_allocation(NEVER, false);
    return asked;
}

/* Calls of realloc, by which json_print asks for memory; other threads may call it, too. */
static struct {
    _Atomic size_t asked;
    size_t failing; /* only set while nobody else runs */
} buffer = {.failing = SIZE_MAX};

/* The linker's names, by its option --wrap: the ordinary function, and what is called instead. */
void *real_realloc(void *bytes, size_t size) __asm__("__real_realloc");
void *failing_realloc(void *bytes, size_t size) __asm__("__wrap_realloc");

void *failing_realloc(void *bytes, size_t size) {
    return buffer.asked++ == buffer.failing ? NULL : real_realloc(bytes, size);
}

static int use_failing_memory(void **state) {
    (void)state;
    json_set_alloc_funcs(allocate, release);
    return 0;
}

/* --- values --- */

typedef json_t *Encode(const void *subject);

static char *print_and_free(json_t *json) {
    char *text = json_print(json);
    assert_non_null(text);
    json_decref(json);
    return text;
}

/* One allocation fails, or all from there on. Returns whether there is a value; it is `whole`. */
static bool is_whole_or_nothing(Encode *encode, const void *subject, size_t failing, bool for_good,
                                const char *whole) {
    size_t held = memory.held;
    fail_allocation(failing, for_good);
    json_t *json = encode(subject);
    size_t asked = end_failures();
    if (json) {
        char *text = print_and_free(json);
        assert_string_equal(text, whole);
        free(text);
    }
    assert_int_equal(memory.held, held);
    assert_true(json || asked > failing);
    return json != NULL;
}

/* Every allocation of the encoding fails once, or one in seven with QUICK set. */
static void check_encoding(Encode *encode, const void *subject) {
    size_t stride = getenv("QUICK") ? 7 : 1;
    fail_allocation(NEVER, false);
    json_t *json = encode(subject);
    size_t count = end_failures();
    assert_non_null(json);
    char *whole = print_and_free(json);
    for (int for_good = 0; for_good <= 1; for_good++)
        for (size_t i = count % stride; i <= count; i += stride)
            assert_int_equal(is_whole_or_nothing(encode, subject, i, for_good, whole), i == count);
    free(whole);
}

/* --- positions --- */

typedef struct Place {
    Variant variant;
    State state;
} Place;

static json_t *encode_place(const void *subject) {
    const Place *place = subject;
    return encode_position(&place->variant, &place->state);
}

static json_t *view_place(const void *subject) {
    const Place *place = subject;
    return view_position(&place->variant, &place->state);
}

static Place find_place(const char *game_name, const char *options, const char *position) {
    const Game *game = NULL;
    Place place;
    assert_ok(registry_find(game_name, &game));
    assert_ok(resolve_text(game, options, position, &place.variant, &place.state));
    return place;
}

/* A game between random players: its first steps, or to its end. */
static Record play_randomly(const Variant *variant, size_t steps) {
    State start = variant->game->tree.start(&variant->rules);
    Seat seats[GAME_PLAYERS_MAX];
    Record record;
    Session session;
    for (int i = 0; i < variant->game->rules.player_count(&variant->rules); i++)
        assert_ok(seat_parse("random", &seats[i]));
    assert_ok(record_open(variant, seats, 1, &start, &record));
    assert_ok(session_open(&session, &record, &limits));
    while (session_waits_for(&session) != GAME_END && session.record.step_count < steps)
        assert_ok(session_step(&session));
    record = session.record;
    session.record = (Record){.seed = 0}; /* it is ours now */
    session_close(&session);
    return record;
}

/* Of every game: the first positions at which a player and chance act, and the end. */
static void positions(void **state) {
    (void)state;
    for (size_t i = 0; i < registry_count(); i++) {
        Place place = {.variant = variant_default(registry_at(i))};
        Record record = play_randomly(&place.variant, SIZE_MAX);
        bool seen[2] = {false, false};
        for (size_t j = 0; j <= record.step_count; j++) {
            place.state = record.states[j];
            int actor = place.variant.game->tree.actor(&place.variant.rules, &place.state);
            if (actor != GAME_END && seen[actor == GAME_CHANCE])
                continue;
            if (actor != GAME_END)
                seen[actor == GAME_CHANCE] = true;
            check_encoding(encode_place, &place);
            check_encoding(view_place, &place);
        }
        record_close(&record);
    }
}

/* --- evaluations --- */

typedef struct Evaluated {
    PooledSolver pooled;
    State state;
} Evaluated;

static json_t *view_evaluated(const void *subject) {
    Evaluated *evaluated = (Evaluated *)subject; /* the solver keeps what it has found */
    json_t *json = NULL;
    Status status = view_evaluation(&evaluated->pooled, &evaluated->state, &json);
    if (status_is_ok(&status)) {
        assert_non_null(json);
        return json;
    }
    assert_int_equal(status.code, STATUS_FAILED);
    assert_string_equal(status.message, "out of memory");
    assert_null(json);
    return NULL;
}

/* These fields are there: the test is about something. */
static void check_fields(const Evaluated *evaluated, const char *const fields[]) {
    json_t *json = view_evaluated(evaluated);
    for (size_t i = 0; fields[i]; i++)
        assert_non_null(json_object_get(json, fields[i]));
    json_decref(json);
}

static void evaluations(void **state) {
    (void)state;
    static const struct {
        const char *game, *options, *position, *fields[4];
    } cases[] = {
        {"race", "", NULL, {"throws", "error_bound"}},
        {"box", "", "13456789 1 17 12", {"moves"}},
        {"dice", "", "1 2 3 4 1 2 3 4 1 2", {"moves", "best_line", "fraction"}},
        {"valley", "--soldiers 1", NULL, {"moves", "outcome", "plies"}},
        {"yut", "--pieces 4", "0,0,0,5/0,0,0,7 1 gae", {"moves", "note"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        static Evaluated evaluated;
        Place place = find_place(cases[i].game, cases[i].options, cases[i].position);
        evaluated = (Evaluated){.pooled = {.variant = place.variant}, .state = place.state};
        PooledSolver *pooled = &evaluated.pooled;
        assert_ok(
            values_open(&pooled->variant, VALUES_ANY, &limits, &pooled->solver, &pooled->missing));
        check_fields(&evaluated, cases[i].fields);
        check_encoding(view_evaluated, &evaluated);
        pooled->solver->free(pooled->solver);
    }
}

/* --- text --- */

/* An object whose text needs a larger buffer several times: in a key or in a value, by `shift`. */
static json_t *make_large(int shift) {
    json_t *json = json_object();
    for (int i = 0; i < 100; i++) {
        char key[96];
        Text text = text_over(key, sizeof key);
        for (int j = 0; j < (i == 0 ? shift : 30); j++)
            text_add_char(&text, 'k');
        text_addf(&text, "%d", i);
        json = json_with(json, key, json_string(key));
    }
    assert_non_null(json);
    return json;
}

/* The buffer of the text: one of its reallocations fails. */
static void texts(void **state) {
    (void)state;
    for (int shift = 0; shift < 60; shift++) {
        json_t *json = make_large(shift);
        buffer.asked = 0;
        char *whole = json_print(json);
        size_t count = buffer.asked;
        json_t *same = json_loads(whole, 0, NULL);
        assert_true(count > 3 && json_equal(same, json));
        for (size_t i = 0; i < count; i++) {
            buffer.asked = 0;
            buffer.failing = i;
            char *text = json_print(json);
            buffer.failing = NEVER;
            assert_null(text);
        }
        json_decref(same);
        json_decref(json);
        free(whole);
    }
}

/* --- reviews and the catalogue --- */

typedef struct Reviewed {
    Record record;
    Review review;
} Reviewed;

static json_t *view_reviewed(const void *subject) {
    const Reviewed *reviewed = subject;
    return encode_review(&reviewed->record, &reviewed->review);
}

static void reviews(void **state) {
    (void)state;
    static const char *const games[][2] = {{"race", ""}, {"box", ""}, {"valley", "--soldiers 1"}};
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        Place place = find_place(games[i][0], games[i][1], NULL);
        Reviewed reviewed = {.record = play_randomly(&place.variant, 12)};
        Solver *solver;
        Status missing;
        assert_ok(values_open(&place.variant, VALUES_ANY, &limits, &solver, &missing));
        assert_ok(review_make(&reviewed.record, solver, NULL, &reviewed.review));
        solver->free(solver);
        check_encoding(view_reviewed, &reviewed);
        review_close(&reviewed.review);
        record_close(&reviewed.record);
    }
}

static json_t *view_catalogue(const void *subject) {
    return view_games(subject);
}

static void the_catalogue(void **state) {
    (void)state;
    SolveLimits small = limits;
    small.memory_bytes = (size_t)1 << 20; /* players are opened each time */
    check_encoding(view_catalogue, &small);
}

/* --- the command line --- */

typedef struct Command {
    const Verb *verb;
    const char *game, *position;
    const char *arguments[5];
} Command;

static Status run_command(const Command *command) {
    static Cli cli;
    const OptionSpec *specs[16];
    size_t count = 0;
    cli = (Cli){.verb = command->verb,
                .json = true,
                .threads = 1,
                .memory_bytes = limits.memory_bytes,
                .seed = 1};
    for (size_t i = 0; i < command->verb->option_count; i++)
        specs[i] = &command->verb->options[i];
    while (command->arguments[count])
        count++;
    assert_ok(
        options_parse(specs, command->verb->option_count, command->arguments, count, &cli.line));
    cli.words = cli.line.words;
    cli.word_count = cli.line.word_count;
    if (command->game) {
        Place place = find_place(command->game, "", command->position);
        cli.variant = place.variant;
        cli.state = place.state;
    }
    return command->verb->run(&cli);
}

/* What is written to standard output between these two. */
static int begin_output(FILE **file) {
    int saved = dup(STDOUT_FILENO);
    *file = tmpfile();
    assert_true(saved >= 0 && *file);
    fflush(stdout);
    assert_true(dup2(fileno(*file), STDOUT_FILENO) >= 0);
    return saved;
}

static char *end_output(FILE *file, int saved) {
    fflush(stdout);
    assert_true(dup2(saved, STDOUT_FILENO) >= 0);
    close(saved);
    fseek(file, 0, SEEK_END);
    size_t length = (size_t)ftell(file);
    char *text = calloc(1, length + 1);
    rewind(file);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, length, file), length);
    fclose(file);
    return text;
}

static char *print_command(const Command *command, Status *status) {
    FILE *file;
    int saved = begin_output(&file);
    *status = run_command(command);
    return end_output(file, saved);
}

/* Without memory, a command prints the lines that it has, and fails. */
static void check_command(const Command *command) {
    Status status;
    fail_allocation(NEVER, false);
    char *whole = print_command(command, &status);
    size_t count = end_failures();
    assert_ok(status);
    assert_true(strlen(whole) > 0);
    for (size_t i = 0; i < count; i++) {
        fail_allocation(i, i % 2);
        char *text = print_command(command, &status);
        size_t length = strlen(text);
        end_failures();
        assert_int_equal(status.code, STATUS_FAILED);
        assert_string_equal(status.message, "out of memory");
        assert_true(length < strlen(whole) && strncmp(text, whole, length) == 0);
        assert_true(length == 0 || text[length - 1] == '\n');
        free(text);
    }
    free(whole);
}

static void commands(void **state) {
    (void)state;
    static const Command all[] = {
        {&verb_version, NULL, NULL, {NULL}},
        {&verb_games, NULL, NULL, {NULL}},
        {&verb_tour, "race", NULL, {NULL}},
        {&verb_eval, "race", NULL, {"--throws"}},
        {&verb_eval, "box", "13456789 1 17 12", {NULL}},
        {&verb_perft, "box", "13456789 1 17 12", {"1", "--divide"}},
        {&verb_match, "box", NULL, {"random", "random", "--games", "2"}},
        {&verb_rate, "box", NULL, {"random", "--positions", "2"}},
        {&verb_stats, "race", NULL, {"--games", "2"}},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        check_command(&all[i]);
}

static char *print_json_error(const Status *status) {
    FILE *file;
    int saved = begin_output(&file);
    cli_print_json_error(status);
    return end_output(file, saved);
}

static void an_error_is_reported_without_memory(void **state) {
    (void)state;
    Status status = status_make(STATUS_USAGE, "no such game");
    fail_allocation(NEVER, false);
    char *text = print_json_error(&status);
    size_t count = end_failures();
    assert_string_equal(text, "{\"error\":{\"code\":\"usage\",\"message\":\"no such game\"}}\n");
    free(text);
    for (size_t i = 0; i < count; i++) {
        fail_allocation(i, true);
        text = print_json_error(&status);
        end_failures();
        assert_string_equal(text,
                            "{\"error\":{\"code\":\"failed\",\"message\":\"out of memory\"}}\n");
        free(text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions),
        cmocka_unit_test(evaluations),
        cmocka_unit_test(texts),
        cmocka_unit_test(reviews),
        cmocka_unit_test(the_catalogue),
        cmocka_unit_test(commands),
        cmocka_unit_test(an_error_is_reported_without_memory),
    };
    return cmocka_run_group_tests(tests, use_failing_memory, NULL);
}
