/* malpan tour: headline results of every game, computed now. */
#include "game/resolve.h"
#include "ui/cli/cli.h"
#include "ui/json/build.h"
#include "values/evaluate.h"
#include "values/policy.h"

typedef struct TourStop {
    const Game *game;
    const GameExample *example;
    ValueInfo meaning;
    bool needs_table; /* not solved here, for want of a table */
    bool solved;      /* whether there is a value */
    double value;
    char value_text[32];
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
    Status possible = values_check(&variant, VALUES_PROOF, &limits);
    stop->needs_table = possible.code == STATUS_TABLE;
    if (!status_is_ok(&possible))
        return status;
    limits.seconds = 1;
    status = values_open(&variant, VALUES_PROOF, &limits, &solver, NULL);
    if (!status_is_ok(&status))
        return status;
    status = solver->evaluate ? evaluate_value(&variant, solver, &state, &evaluation)
                              : evaluate_state(&variant, solver, &state, &evaluation);
    solver->free(solver);
    stop->solved = status_is_ok(&status) && evaluation.kind != VALUE_ESTIMATE;
    if (!stop->solved)
        return status;
    Text value = text_over(stop->value_text, sizeof stop->value_text);
    cli_add_value_for_people(cli, &value, &variant, evaluation.values[evaluation.player], false);
    stop->value = evaluation.values[evaluation.player];
    Text text = text_over(stop->best_move, sizeof stop->best_move);
    if (evaluation.move_count > 0)
        stop->game->text.print_move(&variant.rules, &state, evaluation.moves[0].move, LANG_EN,
                                    &text);
    return status;
}

static void print_stop(const Cli *cli, const TourStop *stop) {
    static const Phrase unsolved = {{"not solved", "풀지 않음"}};
    static const Phrase no_table = {{"no table", "테이블 없음"}};
    static const Phrase best = {{"best move {0}", "최선의 수 {0}"}};
    char bytes[4 * GAME_TEXT_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    if (cli->color)
        text_add(&text, "\x1b[1m");
    if (stop->solved)
        text_add_right(&text, stop->value_text, 14);
    else
        text_add_right(&text, (stop->needs_table ? no_table : unsolved).in[cli->lang], 14);
    text_add(&text, "  ");
    if (cli->color)
        text_add(&text, "\x1b[0m");
    text_add(&text, stop->example->what.in[cli->lang]);
    if (stop->best_move[0]) {
        const char *const words[] = {stop->best_move};
        text_add(&text, "; ");
        phrase_add(&text, best, cli->lang, words);
    }
    text_addf(&text, "\n                malpan %s %s %s%s%s\"%s\"", stop->solved ? "eval" : "play",
              stop->game->identity.name, stop->example->options,
              stop->example->options[0] ? " " : "", stop->solved ? "" : "--from ",
              stop->example->position);
    puts(bytes);
}

static json_t *json_of_stop(const Cli *cli, const TourStop *stop) {
    const GameExample *example = stop->example;
    json_t *json =
        json_pack("{s:s, s:s, s:s, s:s, s:s, s:i, s:o}", "game", stop->game->identity.name, "what",
                  example->what.in[cli->lang], "options", example->options, "position",
                  example->position, "meaning", stop->meaning.name.in[LANG_EN], "player",
                  stop->player, "value", stop->solved ? json_real(stop->value) : json_null());
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
    static const Phrase outro = {
        {"Every number is exact. Play: malpan play GAME. Help: malpan --help",
         "모든 값은 정확합니다. 게임: malpan play GAME. 도움말: malpan --help"}};
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
