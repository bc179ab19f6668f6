/* malpan tour: headline results of every game, computed now. */
#include <math.h>

#include "game/resolve.h"
#include "ui/cli/cli.h"
#include "ui/json/build.h"
#include "values/evaluate.h"
#include "values/policy.h"

typedef struct TourStop {
    const Game *game;
    const GameExample *example;
    ValueInfo meaning;
    double value;
    bool is_estimate;
    double typical_error; /* of the estimate; NAN: unknown */
    char value_text[64];
    int player;
    char best_move[GAME_TEXT_BYTES]; /* empty at a chance node */
} TourStop;

static Status evaluate_stop(Cli *cli, TourStop *stop) {
    static Evaluation evaluation;
    Variant variant;
    State state;
    Solver *solver;
    Status status =
        resolve_text(stop->game, stop->example->options, stop->example->position, &variant, &state);
    if (!status_is_ok(&status))
        return status;
    stop->meaning = stop->game->rules.value_info(&variant.rules);
    stop->player = stop->game->tree.turn(&variant.rules, &state);
    SolveLimits limits = cli_limits(cli);
    limits.seconds = 1;
    status = values_open(&variant, VALUES_ANY, &limits, &solver, NULL);
    if (!status_is_ok(&status))
        return status;
    status = solver->evaluate ? evaluate_value(&variant, solver, &state, &evaluation)
                              : evaluate_state(&variant, solver, &state, &evaluation);
    solver->free(solver);
    if (!status_is_ok(&status))
        return status;
    stop->value = evaluation.values[evaluation.player];
    stop->is_estimate = evaluation.kind == VALUE_ESTIMATE;
    stop->typical_error = evaluation.typical_error;
    Text value = text_over(stop->value_text, sizeof stop->value_text);
    cli_add_value_for_people(cli, &value, &variant, stop->value, stop->is_estimate);
    cli_add_typical_error(cli, &value, stop->typical_error, "");
    Text text = text_over(stop->best_move, sizeof stop->best_move);
    if (evaluation.move_count > 0)
        stop->game->text.print_move(&variant.rules, &state, evaluation.moves[0].move, LANG_EN,
                                    &text);
    return status;
}

static void print_stop(const Cli *cli, const TourStop *stop) {
    static const Phrase best = {{"best move {0}", "최선의 수 {0}"}};
    char bytes[4 * GAME_TEXT_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    if (cli->color)
        text_add(&text, "\x1b[1m");
    text_add_right(&text, stop->value_text, 14);
    text_add(&text, "  ");
    if (cli->color)
        text_add(&text, "\x1b[0m");
    text_add(&text, stop->example->what.in[cli->lang]);
    if (stop->best_move[0]) {
        const char *const words[] = {stop->best_move};
        text_add(&text, "; ");
        phrase_add(&text, best, cli->lang, words);
    }
    text_addf(&text, "\n                malpan eval %s %s%s\"%s\"", stop->game->identity.name,
              stop->example->options, stop->example->options[0] ? " " : "",
              stop->example->position);
    puts(bytes);
}

static json_t *json_of_stop(const Cli *cli, const TourStop *stop) {
    const GameExample *example = stop->example;
    json_t *json =
        json_pack("{s:s, s:s, s:s, s:s, s:s, s:i, s:o}", "game", stop->game->identity.name, "what",
                  example->what.in[cli->lang], "options", example->options, "position",
                  example->position, "meaning", stop->meaning.name.in[LANG_EN], "player",
                  stop->player, "value", json_real(stop->value));
    json = json_with(json, "exact", json_boolean(!stop->is_estimate));
    if (isfinite(stop->typical_error))
        json = json_with(json, "typical_error", json_real(stop->typical_error));
    return stop->best_move[0] ? json_with(json, "best_move", json_string(stop->best_move)) : json;
}

static void print_head(const Cli *cli, const Game *game) {
    Variant variant;
    State state;
    const GameExample *start = &game->identity.examples[0];
    Status status = resolve_text(game, start->options, start->position, &variant, &state);
    if (!status_is_ok(&status))
        return;
    char bytes[GAME_DRAW_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    text_addf(&text, "%s (%s): %s\n\n", game->identity.title.in[cli->lang], game->identity.name,
              game->identity.about.in[cli->lang]);
    game->text.draw(&variant.rules, &state, cli_style(cli), &text);
    puts(bytes);
}

Status tour_run(Cli *cli) {
    static const Phrase outro = {{"Every number is exact, except estimates, which are marked ~. "
                                  "Play: malpan play GAME. Help: "
                                  "malpan --help",
                                  "~ 표시는 추정값이고, 나머지는 모두 정확한 값입니다. 게임: "
                                  "malpan play GAME. 도움말: malpan "
                                  "--help"}};
    for (size_t i = 0; i < registry_count(); i++) {
        const Game *game = registry_at(i);
        if (cli->variant.game && cli->variant.game != game)
            continue;
        if (!cli->json)
            print_head(cli, game);
        for (size_t j = 0; j < game->identity.example_count; j++) {
            TourStop stop = {.game = game, .example = &game->identity.examples[j]};
            Status status = evaluate_stop(cli, &stop);
            if (status_is_ok(&status) && cli->json)
                status = cli_print_json(json_of_stop(cli, &stop));
            else if (status_is_ok(&status))
                print_stop(cli, &stop);
            if (!status_is_ok(&status))
                return status;
            fflush(stdout);
        }
        if (!cli->json)
            putchar('\n');
    }
    if (!cli->json && !cli->quiet)
        puts(outro.in[cli->lang]);
    return status_ok();
}

static const char *const examples[] = {"tour", "tour --lang ko", "tour --json", NULL};

const Verb verb_tour = {.name = "tour",
                        .arguments = "[GAME]",
                        .summary = "headline results of every game, computed now",
                        .summary_ko = "게임마다 주요 결과를 바로 계산해 보여 줌",
                        .examples = examples,
                        .game = VERB_GAME_MAY,
                        .takes_json = true,
                        .run = tour_run};
