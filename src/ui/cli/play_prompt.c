/* The prompt of `malpan play`: the board, and what a person types. */
#include <assert.h>
#include <string.h>

#include "ui/cli/play.h"
#include "values/evaluate.h"
#include "values/store.h"

void play_show_board(const TerminalGame *game) {
    const Variant *variant = play_variant(game);
    char bytes[GAME_DRAW_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    variant->game->text.draw(&variant->rules, record_state(&game->session.record),
                             cli_style(game->cli), &text);
    putchar('\n');
    fputs(bytes, stdout);
}

void play_narrate_step(const TerminalGame *game, size_t step) {
    const Variant *variant = play_variant(game);
    const Record *record = &game->session.record;
    char bytes[GAME_DRAW_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    variant->game->text.narrate(&variant->rules, &record->states[step], record->moves[step],
                                game->cli->lang, &text);
    puts(bytes);
}

/* A solver for `?`: that of the computer players, or one of its own. */
static Status find_solver(TerminalGame *game, Solver **solver) {
    Status status = status_ok();
    if (!game->session.solver && !game->hints) {
        SolveLimits limits = cli_limits(game->cli);
        status =
            store_solver_or_estimate(play_variant(game), &limits, &game->hints, &game->missing);
    }
    *solver = game->session.solver ? game->session.solver : game->hints;
    return status;
}

/* Values the moves where the game stands; only by estimates where a table is missing. */
static Status evaluate_moves(TerminalGame *game, bool *is_estimate) {
    Solver *solver;
    Status status = find_solver(game, &solver);
    if (!status_is_ok(&status))
        return status;
    assert(solver);
    status = evaluate_state(play_variant(game), solver, record_state(&game->session.record),
                            &game->evaluation);
    *is_estimate = status_is_ok(&status) && evaluate_has_estimates(&game->evaluation);
    return status;
}

/* All moves, best first with their values; or, where there are none to be had, as they come. */
static void show_moves(TerminalGame *game) {
    const Variant *variant = play_variant(game);
    const State *state = record_state(&game->session.record);
    bool is_estimate = false;
    Status valued = evaluate_moves(game, &is_estimate);
    Move moves[GAME_MOVES_MAX];
    size_t count = variant->game->tree.moves(&variant->rules, state, moves);
    for (size_t i = 0; i < count; i++) {
        char bytes[2 * GAME_TEXT_BYTES];
        Text text = text_over(bytes, sizeof bytes);
        char move[GAME_TEXT_BYTES];
        Text move_text = text_over(move, sizeof move);
        const MoveValue *value = &game->evaluation.moves[i];
        bool known = status_is_ok(&valued);
        variant->game->text.print_move(&variant->rules, state, known ? value->move : moves[i],
                                       &move_text);
        text_add(&text, "  ");
        text_add_left(&text, move, known ? 12 : 0);
        if (known)
            cli_add_value(&text, variant, value->value, value->is_estimate);
        puts(bytes);
    }
    if (!status_is_ok(&valued))
        puts(valued.message);
    else if (is_estimate)
        cli_print_note(game->cli,
                       game->evaluation.note[0] ? game->evaluation.note : game->missing.message);
}

/* The best move and its value, or why they are not to be had. */
static void show_hint(TerminalGame *game) {
    static const Phrase hint = {{"hint: {0}, {1}", "추천: {0}, {1}"}};
    const Variant *variant = play_variant(game);
    const State *state = record_state(&game->session.record);
    Evaluation *evaluation = &game->evaluation;
    Solver *solver = NULL;
    Status status = find_solver(game, &solver);
    if (status_is_ok(&status))
        status = solver->evaluate ? evaluate_value(variant, solver, state, evaluation)
                                  : evaluate_state(variant, solver, state, evaluation);
    if (!status_is_ok(&status)) {
        puts(status.message);
        return;
    }
    char move[GAME_TEXT_BYTES], value[GAME_TEXT_BYTES], bytes[4 * GAME_TEXT_BYTES];
    Text text = text_over(move, sizeof move);
    variant->game->text.print_move(&variant->rules, state, evaluation->moves[0].move, &text);
    text = text_over(value, sizeof value);
    cli_add_value(&text, variant, evaluation->moves[0].value, evaluation->moves[0].is_estimate);
    text = text_over(bytes, sizeof bytes);
    phrase_add(&text, hint, game->cli->lang, (const char *const[]){move, value});
    puts(bytes);
}

static const Phrase help_text = {
    {"a move, such as {0}; ? for the moves with their values; undo; board; quit",
     "수를 적으세요(예: {0}); ? 둘 수 있는 수와 값; undo 무르기; board 판 보기; quit 끝내기"}};

static void show_help(const TerminalGame *game) {
    const Variant *variant = play_variant(game);
    const State *state = record_state(&game->session.record);
    Move moves[GAME_MOVES_MAX];
    char move[GAME_TEXT_BYTES];
    char bytes[2 * GAME_TEXT_BYTES];
    Text move_text = text_over(move, sizeof move);
    Text text = text_over(bytes, sizeof bytes);
    variant->game->tree.moves(&variant->rules, state, moves);
    variant->game->text.print_move(&variant->rules, state, moves[0], &move_text);
    const char *const words[] = {move};
    phrase_add(&text, help_text, game->cli->lang, words);
    puts(bytes);
}

/* What a line typed at the prompt led to. */
typedef enum Answer { ANSWER_MOVED, ANSWER_AGAIN, ANSWER_QUIT } Answer;

/* Acts on one line: a word of command, or a move. Only what breaks the game is a failure. */
static Status answer_line(TerminalGame *game, const char *line, Answer *answer) {
    static const Phrase nothing = {{"there is nothing to take back", "무를 것이 없습니다"}};
    Record *record = &game->session.record;
    const Variant *variant = play_variant(game);
    char storage[GAME_TEXT_BYTES];
    char *words[1];
    size_t count = text_split(line, storage, sizeof storage, words, 1);
    const char *word = count == 1 ? words[0] : count == 0 ? "" : line;
    Status status = status_ok();
    *answer = ANSWER_AGAIN;
    if (*word == '\0' || strcmp(word, "help") == 0) {
        show_help(game);
    } else if (strcmp(word, "quit") == 0 || strcmp(word, "q") == 0) {
        *answer = ANSWER_QUIT;
    } else if (strcmp(word, "board") == 0) {
        play_show_board(game);
    } else if (strcmp(word, "?") == 0) {
        show_moves(game);
    } else if (strcmp(word, "undo") == 0) {
        if (session_undo(&game->session)) {
            *answer = ANSWER_MOVED;
            status = play_save(game);
        } else {
            puts(nothing.in[game->cli->lang]);
        }
    } else {
        Move move;
        Status parsed =
            variant->game->text.parse_move(&variant->rules, record_state(record), word, &move);
        if (status_is_ok(&parsed))
            parsed = record_add(record, move);
        if (!status_is_ok(&parsed)) {
            puts(parsed.message);
            return status_ok();
        }
        *answer = ANSWER_MOVED;
        play_narrate_step(game, record->step_count - 1);
        status = play_save(game);
    }
    return status;
}

/* Asks the person at `seat` until it moves, quits, or the input ends. */
Status play_ask(TerminalGame *game, int seat, bool *quit) {
    static const Phrase prompt = {{"player {0}> ", "선수 {0}> "}};
    char number[16], bytes[64];
    snprintf(number, sizeof number, "%d", seat);
    const char *const words[] = {number};
    Text text = text_over(bytes, sizeof bytes);
    phrase_add(&text, prompt, game->cli->lang, words);

    play_show_board(game);
    if (options_find(&game->cli->line, "hint"))
        show_hint(game);
    char line[CLI_LINE_BYTES];
    Answer answer = ANSWER_AGAIN;
    Status status = status_ok();
    while (answer == ANSWER_AGAIN && status_is_ok(&status)) {
        fputs(bytes, stdout);
        fflush(stdout);
        CliInput input = cli_read_line(game->cli, line);
        if (input == CLI_INPUT_END) {
            putchar('\n');
            answer = ANSWER_QUIT;
            status = cli_check_input(game->cli);
        } else if (input == CLI_INPUT_LONG_LINE) {
            puts(cli_long_line().message);
        } else {
            status = answer_line(game, line, &answer);
        }
    }
    *quit = answer == ANSWER_QUIT;
    return status;
}
