#include "ui/web/view.h"

#include <string.h>

#include "base/fraction.h"
#include "game/outcomes.h"
#include "game/paths.h"
#include "game/resolve.h"
#include "values/evaluate.h"
#include "values/registry.h"

json_t *view_phrase(Phrase phrase) {
    return json_pack("{s:s, s:s}", "en", phrase.in[LANG_EN], "ko", phrase.in[LANG_KO]);
}

json_t *view_state_text(const Variant *variant, const State *state) {
    char bytes[GAME_TEXT_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    variant->game->text.print_state(&variant->rules, state, &text);
    return json_string(bytes);
}

json_t *view_move_text(const Variant *variant, const State *state, Move move) {
    char bytes[GAME_TEXT_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    variant->game->text.print_move(&variant->rules, state, move, &text);
    return json_string(bytes);
}

json_t *view_rules(const Variant *variant) {
    char bytes[GAME_TEXT_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    variant_print(variant, &text);
    return json_string(bytes);
}

json_t *view_told(const Variant *variant, const State *before, Move move) {
    char bytes[LANG_COUNT][GAME_DRAW_BYTES];
    for (int lang = 0; lang < LANG_COUNT; lang++) {
        Text text = text_over(bytes[lang], sizeof bytes[lang]);
        variant->game->text.narrate(&variant->rules, before, move, (Lang)lang, &text);
    }
    return view_phrase((Phrase){{bytes[LANG_EN], bytes[LANG_KO]}});
}

/* The board in lines of text, for those who do not see it. */
static json_t *view_text(const Variant *variant, const State *state) {
    char bytes[LANG_COUNT][GAME_DRAW_BYTES];
    for (int lang = 0; lang < LANG_COUNT; lang++) {
        Text text = text_over(bytes[lang], sizeof bytes[lang]);
        DrawStyle style = {.ascii = true, .lang = (Lang)lang, .columns = 80};
        variant->game->text.draw(&variant->rules, state, style, &text);
    }
    return view_phrase((Phrase){{bytes[LANG_EN], bytes[LANG_KO]}});
}

json_t *view_meaning(const Variant *variant) {
    ValueInfo info = variant->game->rules.value_info(&variant->rules);
    json_t *meaning = view_phrase(info.name);
    json_object_set_new(meaning, "counted", json_boolean(info.is_counted));
    return meaning;
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
        json_array_append_new(list, json_string(squares[i]));
    return list;
}

/* A move, or something that chance may bring. */
static json_t *view_step(const Variant *variant, const State *state, Move move) {
    State after = *state;
    variant->game->tree.apply(&variant->rules, &after, move);
    return json_pack("{s:o, s:o, s:o, s:o}", "move", view_move_text(variant, state, move), "told",
                     view_told(variant, state, move), "trace", view_trace(variant, state, move),
                     "after", view_state_text(variant, &after));
}

static void add_moves(const Variant *variant, const State *state, json_t *json) {
    Move moves[GAME_MOVES_MAX];
    json_t *list = json_array();
    size_t count = variant->game->tree.moves(&variant->rules, state, moves);
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, view_step(variant, state, moves[i]));
    json_object_set_new(json, "moves", list);
}

static void add_throws(const Variant *variant, const State *state, json_t *json) {
    Chance chances[GAME_CHANCES_MAX];
    uint64_t whole;
    json_t *list = json_array();
    size_t count = variant->game->tree.chances(&variant->rules, state, chances, &whole);
    for (size_t i = 0; i < count; i++) {
        json_t *step = view_step(variant, state, chances[i].move);
        json_object_set_new(step, "chance", json_real((double)chances[i].weight / (double)whole));
        json_array_append_new(list, step);
    }
    json_object_set_new(json, "throws", list);
}

/* How an ended game ended. */
static void add_result(const Variant *variant, const State *state, json_t *json) {
    double payoffs[GAME_PLAYERS_MAX];
    char bytes[LANG_COUNT][GAME_DRAW_BYTES];
    json_t *list = json_array();
    variant->game->tree.payoff(&variant->rules, state, payoffs);
    for (int i = 0; i < variant->game->rules.player_count(&variant->rules); i++)
        json_array_append_new(list, json_real(payoffs[i]));
    for (int lang = 0; lang < LANG_COUNT; lang++) {
        Text text = text_over(bytes[lang], sizeof bytes[lang]);
        variant->game->text.narrate_end(&variant->rules, state, (Lang)lang, &text);
    }
    json_object_set_new(json, "result", list);
    json_object_set_new(json, "told", view_phrase((Phrase){{bytes[LANG_EN], bytes[LANG_KO]}}));
}

/* All but the moves. */
static json_t *view_without_moves(const Variant *variant, const State *state) {
    const Game *game = variant->game;
    int actor = game->tree.actor(&variant->rules, state);
    json_t *json =
        json_pack("{s:s, s:o, s:o, s:i, s:s, s:i, s:n, s:o}", "game", game->identity.name, "rules",
                  view_rules(variant), "position", view_state_text(variant, state), "players",
                  game->rules.player_count(&variant->rules), "actor",
                  actor == GAME_CHANCE ? "chance"
                  : actor == GAME_END  ? "end"
                                       : "player",
                  "turn", game->tree.turn(&variant->rules, state), "result", "text",
                  view_text(variant, state));
    if (actor == GAME_CHANCE)
        add_throws(variant, state, json);
    else if (actor == GAME_END)
        add_result(variant, state, json);
    return json;
}

json_t *view_position(const Variant *variant, const State *state) {
    json_t *json = view_without_moves(variant, state);
    if (variant->game->tree.actor(&variant->rules, state) >= 0)
        add_moves(variant, state, json);
    return json;
}

/* --- values --- */

void view_add_outcome(const Variant *variant, double value, bool is_exact, json_t *json) {
    const GameOutcomes *outcomes = variant->game->outcomes;
    char bytes[GAME_TEXT_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    if (!outcomes || !is_exact)
        return;
    outcome_print(outcomes->decode(value), &text);
    json_object_set_new(json, "outcome", json_string(bytes));
}

static void add_move_values(const Variant *variant, const State *state,
                            const Evaluation *evaluation, json_t *json) {
    json_t *list = json_array();
    for (size_t i = 0; i < evaluation->move_count; i++) {
        const MoveValue *value = &evaluation->moves[i];
        double loss = value->value - evaluation->moves[0].value;
        json_t *step = view_step(variant, state, value->move);
        json_object_set_new(step, "value", json_real(value->value));
        json_object_set_new(step, "exact", json_boolean(!value->is_estimate));
        json_object_set_new(step, "loss", json_real(loss < 0 ? -loss : loss));
        view_add_outcome(variant, value->value, !value->is_estimate, step);
        json_array_append_new(list, step);
    }
    json_object_set_new(json, "moves", list);
}

/* The value after each of the throws. */
static Status add_throw_values(Brain *brain, const State *state, json_t *json) {
    const Variant *variant = &brain->variant;
    Chance chances[GAME_CHANCES_MAX];
    uint64_t whole;
    size_t count = variant->game->tree.chances(&variant->rules, state, chances, &whole);
    for (size_t i = 0; i < count; i++) {
        double values[GAME_PLAYERS_MAX];
        State after = *state;
        variant->game->tree.apply(&variant->rules, &after, chances[i].move);
        Status status = brain->solver->values(brain->solver, &after, values);
        if (!status_is_ok(&status))
            return status;
        json_object_set_new(json_array_get(json_object_get(json, "throws"), i), "value",
                            json_real(values[variant->game->tree.turn(&variant->rules, state)]));
    }
    return status_ok();
}

static void add_value(const Brain *brain, const Evaluation *evaluation, json_t *json) {
    const Variant *variant = &brain->variant;
    ValueInfo info = variant->game->rules.value_info(&variant->rules);
    json_t *values = json_array();
    bool is_exact = !evaluation->is_estimate;
    const char *note = evaluation->note[0] ? evaluation->note : brain->missing.message;
    for (int i = 0; i < variant->game->rules.player_count(&variant->rules); i++)
        json_array_append_new(values, json_real(evaluation->values[i]));
    json_object_set_new(json, "values", values);
    json_object_set_new(json, "value", json_real(evaluation->values[evaluation->player]));
    json_object_set_new(json, "exact", json_boolean(is_exact));
    json_object_set_new(json, "meaning", view_meaning(variant));
    json_object_set_new(json, "lower_is_better", json_boolean(info.lower_is_better));
    json_object_set_new(json, "error_bound",
                        is_exact ? json_real(evaluation->error) : json_null());
    if (note[0] && (!is_exact || evaluation->note[0]))
        json_object_set_new(json, "note", json_string(note));
    view_add_outcome(variant, evaluation->values[evaluation->player], is_exact, json);
}

Status view_evaluation(Brain *brain, const State *state, json_t **json) {
    const Variant *variant = &brain->variant;
    Evaluation *evaluation = &brain->evaluation;
    Solver *solver = brain->solver;
    Status status = evaluate_state(variant, solver, state, evaluation);
    if (!status_is_ok(&status))
        return status;
    *json = view_without_moves(variant, state);
    add_value(brain, evaluation, *json);
    if (evaluation->move_count > 0)
        add_move_values(variant, state, evaluation, *json);
    if (variant->game->tree.actor(&variant->rules, state) == GAME_CHANCE)
        status = add_throw_values(brain, state, *json);
    uint64_t numerator = 0, denominator = 1;
    if (status_is_ok(&status) && solver->fraction) {
        char bytes[GAME_TEXT_BYTES];
        Text text = text_over(bytes, sizeof bytes);
        status = solver->fraction(solver, state, &numerator, &denominator);
        fraction_add(&text, numerator, denominator);
        json_object_set_new(*json, "fraction", json_string(bytes));
    }
    if (!status_is_ok(&status)) {
        json_decref(*json);
        *json = NULL;
    }
    return status;
}

/* --- what can be played --- */

/* A list of the words; null for NULL. */
static json_t *view_words(const char *words) {
    if (!words)
        return json_null();
    json_t *list = json_array();
    for (size_t length; *words; words += length + (words[length] == ' ')) {
        length = strcspn(words, " ");
        json_array_append_new(list, json_stringn(words, length));
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
        json_t *help =
            view_phrase((Phrase){{option->help, option->help_ko ? option->help_ko : option->help}});
        json_array_append_new(list, json_pack("{s:s, s:s?, s:o, s:s, s:o}", "name", option->name,
                                              "argument", option->argument, "help", help, "value",
                                              bytes, "choices", view_words(option->choices)));
    }
    return list;
}

static json_t *view_game(const Game *game) {
    Variant variant = variant_default(game);
    State start = game->tree.start(&variant.rules);
    json_t *examples = json_array();
    for (size_t i = 0; i < game->identity.example_count; i++)
        json_array_append_new(examples, json_pack("{s:o, s:s, s:s}", "what",
                                                  view_phrase(game->identity.examples[i].what),
                                                  "rules", game->identity.examples[i].options,
                                                  "position", game->identity.examples[i].position));
    return json_pack("{s:s, s:o, s:o, s:s, s:i, s:b, s:o, s:o, s:o}", "name", game->identity.name,
                     "title", view_phrase(game->identity.title), "about",
                     view_phrase(game->identity.about), "position_shape", game->text.position_shape,
                     "players", game->rules.player_count(&variant.rules), "chance",
                     !game->tree.is_deterministic, "start", view_state_text(&variant, &start),
                     "options", view_options(game), "examples", examples);
}

/* Whether the kind of player plays the game under its usual rules. */
static bool plays(const PlayerKind *kind, const Game *game, const SolveLimits *limits) {
    Variant variant = variant_default(game);
    Seat seat = {.kind = kind};
    Solver *solver = NULL;
    Player *player = NULL;
    Status status = seat_open(&seat, &variant, limits, &solver, &player);
    if (status_is_ok(&status))
        player->free(player);
    if (solver)
        solver->free(solver);
    return status_is_ok(&status);
}

static json_t *view_player(const PlayerKind *kind, const SolveLimits *limits) {
    json_t *names = json_array(), *levels = json_array();
    for (size_t i = 0; i < registry_count(); i++)
        if (plays(kind, registry_at(i), limits))
            json_array_append_new(names, json_string(registry_at(i)->identity.name));
    for (const char *const *level = kind->levels; level && *level; level++)
        json_array_append_new(levels, json_string(*level));
    return json_pack("{s:s, s:o, s:s?, s:o, s:o}", "name", kind->name, "about",
                     view_phrase(kind->about), "setting", kind->setting, "levels", levels, "games",
                     names);
}

json_t *view_games(const SolveLimits *limits) {
    json_t *games = json_array(), *players = json_array();
    for (size_t i = 0; i < registry_count(); i++)
        json_array_append_new(games, view_game(registry_at(i)));
    for (size_t i = 0; i < player_kind_count(); i++)
        if (player_kind_at(i)->open)
            json_array_append_new(players, view_player(player_kind_at(i), limits));
    return json_pack("{s:o, s:o}", "games", games, "players", players);
}

Status view_read(const char *game, const char *rules, const char *position, Variant *variant,
                 State *state) {
    const Game *found;
    Status status = registry_find(game, &found);
    return status_is_ok(&status) ? resolve_text(found, rules, position, variant, state) : status;
}
