#include "ui/web/view.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "game/paths.h"
#include "game/resolve.h"
#include "ui/json/build.h"
#include "ui/json/encode.h"
#include "ui/json/evaluation.h"
#include "ui/web/assets.h"
#include "values/evaluate.h"
#include "values/principal_variation.h"
#include "values/registry.h"

json_t *view_rules_text(const Variant *variant) {
    char bytes[GAME_RULES_TEXT_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    variant_print(variant, &text);
    return json_string(bytes);
}

json_t *view_narration(const Variant *variant, const State *before, Move move) {
    char bytes[LANG_COUNT][GAME_DRAW_BYTES];
    for (int lang = 0; lang < LANG_COUNT; lang++) {
        Text text = text_over(bytes[lang], sizeof bytes[lang]);
        variant->game->text.narrate(&variant->rules, before, move, (Lang)lang, &text);
    }
    return encode_phrase((Phrase){{bytes[LANG_EN], bytes[LANG_KO]}});
}

/* The board drawn in text, for screen readers. */
static json_t *view_text_board(const Variant *variant, const State *state) {
    char bytes[LANG_COUNT][GAME_DRAW_BYTES];
    for (int lang = 0; lang < LANG_COUNT; lang++) {
        Text text = text_over(bytes[lang], sizeof bytes[lang]);
        DrawStyle style = {.ascii = true, .lang = (Lang)lang, .columns = 80};
        variant->game->text.draw(&variant->rules, state, style, &text);
    }
    return encode_phrase((Phrase){{bytes[LANG_EN], bytes[LANG_KO]}});
}

json_t *view_trace(const Variant *variant, const State *state, Move move) {
    enum { SQUARES_MAX = 32 };
    char bytes[GAME_TEXT_BYTES], storage[GAME_TEXT_BYTES];
    char *squares[SQUARES_MAX];
    Text text = text_over(bytes, sizeof bytes);
    json_t *list = json_array();
    if (variant->game->paths)
        variant->game->paths->trace(&variant->rules, state, move, &text);
    size_t count = text_split(bytes, storage, sizeof storage, squares, SQUARES_MAX);
    for (size_t i = 0; i < count && i < SQUARES_MAX; i++)
        list = json_with_item(list, json_string(squares[i]));
    return list;
}

/* --- positions --- */

/* The functions named with_... take ownership of an object and return it with more fields, or NULL
 * if memory ran out, as json_with does. */

/* With what the page shows of a move or chance event. */
static json_t *with_step_display(json_t *step, const Variant *variant, const State *state,
                                 Move move) {
    State after = *state;
    variant->game->tree.apply(&variant->rules, &after, move);
    step = json_with(step, "told", view_narration(variant, state, move));
    step = json_with(step, "trace", view_trace(variant, state, move));
    return json_with(step, "after", encode_state(variant, &after));
}

static json_t *view_moves(const Variant *variant, const State *state) {
    Move moves[GAME_MOVES_MAX];
    json_t *list = json_array();
    size_t count = variant->game->tree.moves(&variant->rules, state, moves);
    for (size_t i = 0; i < count; i++) {
        json_t *move = json_pack("{s:o}", "move", encode_move(variant, state, moves[i]));
        list = json_with_item(list, with_step_display(move, variant, state, moves[i]));
    }
    return list;
}

static json_t *view_throws(const Variant *variant, const State *state) {
    Chance chances[GAME_CHANCES_MAX];
    uint64_t whole;
    json_t *list = json_array();
    size_t count = variant->game->tree.chances(&variant->rules, state, chances, &whole);
    for (size_t i = 0; i < count; i++) {
        json_t *event =
            json_pack("{s:o, s:f}", "move", encode_move(variant, state, chances[i].move), "chance",
                      (double)chances[i].weight / (double)whole);
        list = json_with_item(list, with_step_display(event, variant, state, chances[i].move));
    }
    return list;
}

/* With how an ended game ended. */
static json_t *with_result(json_t *json, const Variant *variant, const State *state) {
    double payoffs[GAME_PLAYERS_MAX];
    char bytes[LANG_COUNT][GAME_DRAW_BYTES];
    variant->game->tree.payoff(&variant->rules, state, payoffs);
    for (int lang = 0; lang < LANG_COUNT; lang++) {
        Text text = text_over(bytes[lang], sizeof bytes[lang]);
        variant->game->text.narrate_end(&variant->rules, state, (Lang)lang, &text);
    }
    json = json_with(json, "result", encode_values(variant, payoffs));
    return json_with(json, "told", encode_phrase((Phrase){{bytes[LANG_EN], bytes[LANG_KO]}}));
}

/* With what the page needs besides game, rules, position, player, moves and throws. */
static json_t *with_position_display(json_t *json, const Variant *variant, const State *state) {
    const Game *game = variant->game;
    int actor = game->tree.actor(&variant->rules, state);
    const char *name = actor == GAME_CHANCE ? "chance" : actor == GAME_END ? "end" : "player";
    json = json_with(json, "rules_text", view_rules_text(variant));
    json = json_with(json, "players", json_integer(game->rules.player_count(&variant->rules)));
    json = json_with(json, "actor", json_string(name));
    json = json_with(json, "result", json_null());
    json = json_with(json, "text", view_text_board(variant, state));
    return actor == GAME_END ? with_result(json, variant, state) : json;
}

json_t *view_position(const Variant *variant, const State *state) {
    int actor = variant->game->tree.actor(&variant->rules, state);
    json_t *json = with_position_display(encode_position(variant, state), variant, state);
    if (actor == GAME_CHANCE)
        return json_with(json, "throws", view_throws(variant, state));
    return actor == GAME_END ? json : json_with(json, "moves", view_moves(variant, state));
}

/* --- evaluations --- */

/* What can happen at a chance node, and its value. */
typedef struct EventValues {
    size_t count; /* 0: not a chance node */
    Chance events[GAME_CHANCES_MAX];
    double chances[GAME_CHANCES_MAX], values[GAME_CHANCES_MAX];
} EventValues;

static Status evaluate_events(PooledSolver *pooled, const State *state, EventValues *events) {
    const Variant *variant = &pooled->variant;
    uint64_t whole;
    events->count = 0;
    if (variant->game->tree.actor(&variant->rules, state) != GAME_CHANCE)
        return status_ok();
    events->count = variant->game->tree.chances(&variant->rules, state, events->events, &whole);
    for (size_t i = 0; i < events->count; i++) {
        double values[GAME_PLAYERS_MAX];
        State after = *state;
        variant->game->tree.apply(&variant->rules, &after, events->events[i].move);
        Status status = pooled->solver->values(pooled->solver, &after, values);
        if (!status_is_ok(&status))
            return status;
        events->chances[i] = (double)events->events[i].weight / (double)whole;
        events->values[i] = values[variant->game->tree.turn(&variant->rules, state)];
    }
    return status_ok();
}

/* With what the page shows of the step at `index` of the list `field`. */
static json_t *with_listed_display(json_t *json, const EvaluationReport *report, const char *field,
                                   size_t index, Move move) {
    json_t *step = json_incref(json_array_get(json_object_get(json, field), index));
    step = with_step_display(step, report->variant, report->state, move);
    if (step) {
        json_decref(step); /* the list keeps its own reference */
        return json;
    }
    json_decref(json);
    return NULL;
}

/* With what the page shows of an encoded evaluation. */
static json_t *with_evaluation_display(json_t *json, const EvaluationReport *report) {
    for (size_t i = 0; i < report->evaluation->move_count; i++)
        json = with_listed_display(json, report, "moves", i, report->evaluation->moves[i].move);
    for (size_t i = 0; i < report->event_count; i++)
        json = with_listed_display(json, report, "throws", i, report->events[i].move);
    return with_position_display(json, report->variant, report->state);
}

Status view_evaluation(PooledSolver *pooled, const State *state, json_t **json) {
    const Variant *variant = &pooled->variant;
    Solver *solver = pooled->solver;
    EventValues events;
    PrincipalVariation lines = {.count = 0};
    EvaluationReport report = {.variant = variant,
                               .state = state,
                               .evaluation = &pooled->evaluation,
                               .method = solver->method,
                               .missing = pooled->missing.message,
                               .lines = &lines,
                               .events = events.events,
                               .event_chances = events.chances,
                               .event_values = events.values};
    assert(!pooled->player);
    Status status = evaluate_state(variant, solver, state, &pooled->evaluation);
    if (status_is_ok(&status))
        status = evaluate_events(pooled, state, &events);
    if (status_is_ok(&status) && solver->fraction)
        status = solver->fraction(solver, state, &report.numerator, &report.denominator);
    if (status_is_ok(&status))
        status = principal_variation_find(variant, solver, state, &lines);
    if (!status_is_ok(&status))
        return status;
    report.event_count = events.count;
    *json = with_evaluation_display(encode_evaluation(&report), &report);
    return *json ? status_ok() : status_make(STATUS_FAILED, "out of memory");
}

/* --- the catalogue --- */

/* A list of the words of a text; null for NULL. */
static json_t *split_words(const char *words) {
    if (!words)
        return json_null();
    json_t *list = json_array();
    for (size_t length; *words; words += length + (words[length] == ' ')) {
        length = strcspn(words, " ");
        list = json_with_item(list, json_stringn(words, length));
    }
    return list;
}

static json_t *view_options(const Game *game) {
    Rules rules = game->rules.defaults();
    json_t *list = json_array();
    for (size_t i = 0; i < game->rules.option_count; i++) {
        const OptionSpec *option = &game->rules.options[i];
        char bytes[GAME_TEXT_BYTES];
        Text text = text_over(bytes, sizeof bytes);
        game->rules.get(&rules, option->name, &text);
        json_t *help = encode_phrase(
            (Phrase){{option->help, option->help_ko ? option->help_ko : option->help}});
        list = json_with_item(list, json_pack("{s:s, s:s?, s:o, s:s, s:o}", "name", option->name,
                                              "argument", option->argument, "help", help, "value",
                                              bytes, "choices", split_words(option->choices)));
    }
    return list;
}

/* The name of the page's board module for the game: `yut` for board_yut.js. Null if there is none.
 */
static json_t *view_board_module(const Game *game) {
    char path[64];
    snprintf(path, sizeof path, "/board_%s.js", game->identity.name);
    return assets_find(path) ? json_string(game->identity.name) : json_null();
}

static json_t *view_game(const Game *game) {
    Variant variant = variant_default(game);
    State start = game->tree.start(&variant.rules);
    json_t *examples = json_array();
    for (size_t i = 0; i < game->identity.example_count; i++) {
        const GameExample *example = &game->identity.examples[i];
        examples = json_with_item(
            examples, json_pack("{s:o, s:s, s:s}", "what", encode_phrase(example->what), "rules",
                                example->options, "position", example->position));
    }
    return json_pack(
        "{s:s, s:o, s:o, s:o, s:s, s:i, s:b, s:o, s:o, s:o, s:o}", "name", game->identity.name,
        "board", view_board_module(game), "title", encode_phrase(game->identity.title), "about",
        encode_phrase(game->identity.about), "position_shape", game->text.position_shape, "players",
        game->rules.player_count(&variant.rules), "chance", !game->tree.is_deterministic, "start",
        encode_state(&variant, &start), "rules", encode_rules(&variant), "options",
        view_options(game), "examples", examples);
}

/* Whether this kind of player can play the game under its default rules. Opens a player to find
 * out, with a request to stop: the server starts with this, so nothing may be solved. */
static bool can_play(const PlayerKind *kind, const Game *game, const SolveLimits *limits) {
    Variant variant = variant_default(game);
    Seat seat = {.kind = kind};
    Solver *solver = NULL;
    Player *player = NULL;
    StopFlag stop = true;
    SolveLimits stopped = *limits;
    stopped.stop = &stop;
    Status status = seat_open(&seat, &variant, &stopped, &solver, &player);
    if (status_is_ok(&status))
        player->free(player);
    if (solver)
        solver->free(solver);
    return status_is_ok(&status) || status.code == STATUS_STOPPED;
}

static json_t *view_player(const PlayerKind *kind, const SolveLimits *limits) {
    json_t *names = json_array(), *levels = json_array();
    for (size_t i = 0; names && i < registry_count(); i++)
        if (can_play(kind, registry_at(i), limits))
            names = json_with_item(names, json_string(registry_at(i)->identity.name));
    for (const char *const *level = kind->levels; level && *level; level++)
        levels = json_with_item(levels, json_string(*level));
    return json_pack("{s:s, s:o, s:s?, s:o, s:o}", "name", kind->name, "about",
                     encode_phrase(kind->about), "setting", kind->setting, "levels", levels,
                     "games", names);
}

json_t *view_games(const SolveLimits *limits) {
    json_t *games = json_array(), *players = json_array();
    for (size_t i = 0; i < registry_count(); i++)
        games = json_with_item(games, view_game(registry_at(i)));
    for (size_t i = 0; games && players && i < player_kind_count(); i++)
        if (player_kind_at(i)->open)
            players = json_with_item(players, view_player(player_kind_at(i), limits));
    return json_pack("{s:o, s:o}", "games", games, "players", players);
}

Status view_read(const char *game, const char *rules, const char *position, Variant *variant,
                 State *state) {
    const Game *found;
    Status status = registry_find(game, &found);
    return status_is_ok(&status) ? resolve_text(found, rules, position, variant, state) : status;
}
