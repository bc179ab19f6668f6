/* The commands of the protocol. */
#include "ui/engine/engine.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/number.h"
#include "malpan.h"

enum { WORDS_MAX = 16384, THREADS_MAX = 256, HASH_MB_MAX = 1 << 20 };

/* A command, split at spaces. */
typedef struct Command {
    char *words[WORDS_MAX];
    size_t count;
    char storage[ENGINE_LINE_BYTES];
} Command;

static const State *current_state(const Engine *engine) {
    return &engine->states[engine->state_count - 1];
}

static int current_actor(const Engine *engine) {
    return engine->variant.game->tree.actor(&engine->variant.rules, current_state(engine));
}

/* --- positions --- */

static Status push_state(Engine *engine, const State *state) {
    State *states = realloc(engine->states, (engine->state_count + 1) * sizeof *states);
    if (!states)
        return status_make(STATUS_FAILED, "out of memory");
    engine->states = states;
    engine->states[engine->state_count++] = *state;
    return status_ok();
}

static Status play_move(Engine *engine, const char *text) {
    const Variant *variant = &engine->variant;
    State state = *current_state(engine);
    Move move;
    Status status = variant->game->text.parse_move(&variant->rules, &state, text, LANG_EN, &move);
    if (status_is_ok(&status))
        status = variant_play(variant, &state, move);
    return status_is_ok(&status) ? push_state(engine, &state) : status;
}

/* Joins the words from `first` to before `end` with spaces. */
static Status join_words(const Command *command, size_t first, size_t end, Text *text) {
    for (size_t i = first; i < end; i++)
        text_addf(text, "%s%s", i > first ? " " : "", command->words[i]);
    return text->truncated ? status_make(STATUS_USAGE, "the position is too long") : status_ok();
}

/* position startpos|fen TEXT [moves MOVE...]. After an error the position is as before. */
static Status set_position(Engine *engine, const Command *command) {
    const Variant *variant = &engine->variant;
    size_t moves = 1;
    while (moves < command->count && strcmp(command->words[moves], "moves") != 0)
        moves++;
    char bytes[2 * GAME_TEXT_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    State state;
    Status status = status_ok();
    if (moves == 2 && strcmp(command->words[1], "startpos") == 0) {
        state = variant->game->tree.start(&variant->rules);
    } else if (moves > 2 && strcmp(command->words[1], "fen") == 0) {
        status = join_words(command, 2, moves, &text);
        if (status_is_ok(&status))
            status = variant->game->text.parse_state(&variant->rules, bytes, &state);
    } else {
        status = status_make(STATUS_USAGE,
                             "expected position startpos or position fen TEXT, then moves MOVE...");
    }
    if (!status_is_ok(&status))
        return status;
    State *old = engine->states;
    size_t old_count = engine->state_count;
    engine->states = NULL;
    engine->state_count = 0;
    status = push_state(engine, &state);
    for (size_t i = moves + 1; status_is_ok(&status) && i < command->count; i++)
        status = play_move(engine, command->words[i]);
    if (!status_is_ok(&status)) {
        free(engine->states);
        engine->states = old;
        engine->state_count = old_count;
        return status;
    }
    free(old);
    return status;
}

/* --- queries --- */

static bool is_drawn(const Engine *engine) {
    return variant_is_repetition(&engine->variant, engine->states, engine->state_count);
}

static bool is_over(const Engine *engine) {
    return current_actor(engine) == GAME_END || is_drawn(engine);
}

/* The result for the first two players. */
static const char *result_of(const Engine *engine) {
    const Variant *variant = &engine->variant;
    double payoffs[GAME_PLAYERS_MAX];
    if (!is_over(engine))
        return "none";
    if (current_actor(engine) != GAME_END)
        return "draw";
    if (variant->game->rules.player_count(&variant->rules) != 2)
        return "none";
    variant->game->tree.payoff(&variant->rules, current_state(engine), payoffs);
    if (payoffs[0] == payoffs[1])
        return "draw";
    bool first_has_more = payoffs[0] > payoffs[1];
    bool lower_is_better = variant->game->rules.value_info(&variant->rules).lower_is_better;
    return first_has_more != lower_is_better ? "p1win" : "p2win";
}

static void answer_chances(Engine *engine) {
    const Variant *variant = &engine->variant;
    Chance chances[GAME_CHANCES_MAX];
    uint64_t whole = 0;
    char bytes[GAME_CHANCES_MAX * 64];
    Text text = text_over(bytes, sizeof bytes);
    size_t count =
        current_actor(engine) == GAME_CHANCE
            ? variant->game->tree.chances(&variant->rules, current_state(engine), chances, &whole)
            : 0;
    for (size_t i = 0; i < count; i++) {
        text_add_char(&text, ' ');
        variant->game->text.print_move(&variant->rules, current_state(engine), chances[i].move,
                                       LANG_EN, &text);
        text_addf(&text, " %" PRIu64 "/%" PRIu64, chances[i].weight, whole);
    }
    engine_print(engine, "response%s", count > 0 ? bytes : " none");
}

static void answer_payoffs(Engine *engine) {
    const Variant *variant = &engine->variant;
    double payoffs[GAME_PLAYERS_MAX];
    char bytes[GAME_TEXT_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    if (current_actor(engine) == GAME_END) {
        variant->game->tree.payoff(&variant->rules, current_state(engine), payoffs);
        for (int i = 0; i < variant->game->rules.player_count(&variant->rules); i++)
            text_addf(&text, " %g", payoffs[i]);
    }
    engine_print(engine, "response%s", text.length > 0 ? bytes : " none");
}

static Status answer_query(Engine *engine, const Command *command) {
    const char *what = command->count == 2 ? command->words[1] : "";
    int actor = current_actor(engine);
    const Variant *variant = &engine->variant;
    if (strcmp(what, "gameover") == 0) {
        engine_print(engine, "response %s", is_over(engine) ? "true" : "false");
    } else if (strcmp(what, "p1turn") == 0) {
        int turn = variant->game->tree.turn(&variant->rules, current_state(engine));
        engine_print(engine, "response %s", turn == 0 ? "true" : "false");
    } else if (strcmp(what, "result") == 0) {
        engine_print(engine, "response %s", result_of(engine));
    } else if (strcmp(what, "actor") == 0) {
        if (actor >= 0 && !is_over(engine))
            engine_print(engine, "response p%d", actor + 1);
        else
            engine_print(engine, "response %s", actor == GAME_CHANCE ? "chance" : "none");
    } else if (strcmp(what, "chances") == 0) {
        answer_chances(engine);
    } else if (strcmp(what, "payoffs") == 0) {
        answer_payoffs(engine);
    } else if (strcmp(what, "fen") == 0) {
        char bytes[GAME_TEXT_BYTES];
        Text text = text_over(bytes, sizeof bytes);
        variant->game->text.print_state(&variant->rules, current_state(engine), &text);
        engine_print(engine, "response %s", bytes);
    } else {
        return status_make(STATUS_USAGE, "expected query gameover, p1turn, result, actor, chances, "
                                         "payoffs or fen");
    }
    return status_ok();
}

/* --- options --- */

static void print_identity(Engine *engine) {
    engine_print(engine, "id name malpan %s (%s)", MALPAN_VERSION,
                 engine->variant.game->identity.name);
    engine_print(engine, "id author the malpan authors");
    engine_print(engine, "option name threads type spin default %d min 1 max %d",
                 engine->limits.threads, THREADS_MAX);
    engine_print(engine, "option name hash type spin default %zu min 1 max %d",
                 engine->limits.memory_bytes >> 20, HASH_MB_MAX);
    engine_print(engine, "option name tables type string default %s",
                 engine->limits.tables ? engine->limits.tables : "<empty>");
    engine_print(engine, "ugiok");
}

/* setoption name NAME value VALUE, where VALUE may have spaces and NAME may be in capitals. */
static Status set_option(Engine *engine, const Command *command) {
    uint64_t number;
    char value[PATH_MAX];
    Text words = text_over(value, sizeof value);
    if (command->count < 5 || strcmp(command->words[1], "name") != 0 ||
        strcmp(command->words[3], "value") != 0)
        return status_make(STATUS_USAGE, "expected setoption name NAME value VALUE");
    const char *name = command->words[2];
    Status status = join_words(command, 4, command->count, &words);
    if (!status_is_ok(&status))
        return status_make(STATUS_USAGE, "setoption: the value is too long");
    if (strcasecmp(name, "threads") == 0) {
        status = number_parse("threads", value, 1, THREADS_MAX, &number);
        if (status_is_ok(&status))
            engine->limits.threads = (int)number;
    } else if (strcasecmp(name, "hash") == 0) {
        status = number_parse("hash", value, 1, HASH_MB_MAX, &number);
        if (status_is_ok(&status))
            engine->limits.memory_bytes = (size_t)number << 20;
    } else if (strcasecmp(name, "tables") == 0) {
        Text text = text_over(engine->tables, sizeof engine->tables);
        text_add(&text, strcmp(value, "<empty>") == 0 ? "" : value);
        engine->limits.tables = text.length > 0 && !text.truncated ? engine->tables : NULL;
    } else {
        status = status_make(STATUS_USAGE, "unknown option %s: expected threads, hash or tables",
                             quote(name).text);
    }
    if (status_is_ok(&status))
        engine_clear(engine);
    return status;
}

/* --- go --- */

static Status start_search(Engine *engine, const Command *command) {
    if (is_over(engine))
        return status_make(STATUS_USAGE, "the game is over");
    if (current_actor(engine) < 0)
        return status_make(STATUS_USAGE,
                           "chance acts here: send the event as a move of the position");
    EngineGoal goal;
    Status status = engine_read_goal(&engine->variant, current_actor(engine), command->words + 1,
                                     command->count - 1, &goal);
    return status_is_ok(&status) ? engine_start_thinking(engine, &goal) : status;
}

/* --- the loop --- */

/* Runs a command that is refused during a search. */
static Status run_idle_command(Engine *engine, const Command *command) {
    const char *name = command->words[0];
    if (engine_is_thinking(engine))
        return status_make(STATUS_USAGE, "%s: a search is running; stop it first",
                           quote(name).text);
    if (strcmp(name, "position") == 0)
        return set_position(engine, command);
    engine_join_threads(engine);
    if (strcmp(name, "go") == 0)
        return start_search(engine, command);
    if (strcmp(name, "setoption") == 0)
        return set_option(engine, command);
    engine_clear(engine); /* uginewgame */
    return status_ok();
}

/* Prepares what takes long now, so that no clock is running meanwhile. */
static void answer_isready(Engine *engine) {
    if (!engine_is_thinking(engine)) {
        engine_join_threads(engine);
        engine_prepare(engine);
    }
    engine_print(engine, "readyok");
}

/* Runs one command. False for `quit`. */
static bool run_command(Engine *engine, const Command *command) {
    const char *name = command->count > 0 ? command->words[0] : "";
    Status status = status_ok();
    if (strcmp(name, "quit") == 0)
        return false;
    if (strcmp(name, "ugi") == 0)
        print_identity(engine);
    else if (strcmp(name, "isready") == 0)
        answer_isready(engine);
    else if (strcmp(name, "query") == 0)
        status = answer_query(engine, command);
    else if (strcmp(name, "stop") == 0 && !engine_stop_thinking(engine))
        status = status_make(STATUS_USAGE, "stop: no search is running");
    else if (strcmp(name, "stop") == 0)
        return true;
    else if (strcmp(name, "position") == 0 || strcmp(name, "go") == 0 ||
             strcmp(name, "setoption") == 0 || strcmp(name, "uginewgame") == 0)
        status = run_idle_command(engine, command);
    else
        status = status_make(STATUS_USAGE, "unknown command %s", quote(name).text);
    if (!status_is_ok(&status))
        engine_print(engine, "info string error: %s", status.message);
    return true;
}

/* Reads a line. False at the end of the input. `is_long`: it did not fit, and was skipped. */
static bool read_line(FILE *in, char line[ENGINE_LINE_BYTES], bool *is_long) {
    size_t length = 0;
    int byte;
    *is_long = false;
    while ((byte = getc_unlocked(in)) != EOF && byte != '\n') {
        if (length + 1 < ENGINE_LINE_BYTES)
            line[length++] = byte == '\0' ? '?' : (char)byte;
        else
            *is_long = true;
    }
    while (length > 0 && line[length - 1] == '\r')
        length--;
    line[length] = '\0';
    return byte != EOF || length > 0;
}

static void serve_commands(Engine *engine, Command *command, FILE *in) {
    static const char empty[] = "";
    char *line = malloc(ENGINE_LINE_BYTES);
    bool is_long, goes_on = line != NULL;
    while (goes_on && read_line(in, line, &is_long)) {
        command->count = text_split(is_long ? empty : line, command->storage,
                                    sizeof command->storage, command->words, WORDS_MAX);
        if (is_long || command->count > WORDS_MAX)
            engine_print(engine, "info string error: the line is too long");
        else if (command->count > 0)
            goes_on = run_command(engine, command);
    }
    if (!goes_on || engine->goal.infinite)
        engine_stop_thinking(engine);
    engine_join_threads(engine);
    free(line);
}

/* A condition variable whose timeouts are times of the monotonic clock. */
static void init_condition(pthread_cond_t *condition) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
}

Status engine_run(const Variant *variant, const SolveLimits *limits, FILE *in, FILE *out) {
    Engine *engine = calloc(1, sizeof *engine);
    Command *command = malloc(sizeof *command);
    State start = variant->game->tree.start(&variant->rules);
    Status status = status_make(STATUS_FAILED, "out of memory");
    if (engine && command) {
        engine->variant = *variant;
        engine->limits = *limits;
        engine->limits.progress = NULL;
        engine->out = out;
        pthread_mutex_init(&engine->lock, NULL);
        init_condition(&engine->answered);
        engine_answer_promptly();
        status = push_state(engine, &start);
        if (status_is_ok(&status))
            serve_commands(engine, command, in);
        engine_clear(engine);
        free(engine->states);
        pthread_cond_destroy(&engine->answered);
        pthread_mutex_destroy(&engine->lock);
    }
    free(engine);
    free(command);
    return status;
}
