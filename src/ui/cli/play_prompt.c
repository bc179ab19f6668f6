/* The prompt of `malpan play`: shows the board and reads what a person types. */
#include <assert.h>
#include <string.h>
#include <strings.h>

#include "play/typed_move.h"
#include "ui/cli/play.h"
#include "values/evaluate.h"
#include "values/policy.h"

void play_show_board(const TerminalGame *game) {
    const Variant *variant = play_variant(game);
    char bytes[GAME_DRAW_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    DrawStyle style = cli_style(game->cli);
    style.numbers = game->numbers;
    variant->game->text.draw(&variant->rules, record_state(&game->session.record), style, &text);
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

/* --- the legal moves, by number --- */

/* The legal moves in the game's own order. A move's number in the list is its index plus one,
 * regardless of the order in which the moves are shown. */
typedef struct MoveList {
    size_t count;
    Move moves[GAME_MOVES_MAX];
} MoveList;

/* More moves than this are only listed on request. */
enum { LISTED_MAX = 40 };

static void list_moves(const TerminalGame *game, MoveList *list) {
    const Variant *variant = play_variant(game);
    list->count = variant->game->tree.moves(&variant->rules, record_state(&game->session.record),
                                            list->moves);
}

static size_t number_of(const MoveList *list, Move move) {
    for (size_t i = 0; i < list->count; i++)
        if (list->moves[i] == move)
            return i + 1;
    assert(false); /* every move shown is legal */
    return 0;
}

static void print_move(const TerminalGame *game, Move move, char bytes[GAME_TEXT_BYTES]) {
    const Variant *variant = play_variant(game);
    Text text = text_over(bytes, GAME_TEXT_BYTES);
    variant->game->text.print_move(&variant->rules, record_state(&game->session.record), move,
                                   game->cli->lang, &text);
}

/* Prints `1) 0:gae  2) 5:gae`, as many moves to a line as fit. */
static void show_list(const TerminalGame *game, const MoveList *list) {
    int used = 0;
    for (size_t i = 0; i < list->count; i++) {
        char move[GAME_TEXT_BYTES], bytes[2 * GAME_TEXT_BYTES];
        Text text = text_over(bytes, sizeof bytes);
        print_move(game, list->moves[i], move);
        text_addf(&text, "%zu) %s", i + 1, move);
        int columns = text_columns(bytes) + 2;
        if (used > 0 && used + columns > game->cli->columns) {
            putchar('\n');
            used = 0;
        }
        printf("  %s", bytes);
        used += columns;
    }
    putchar('\n');
}

/* Shows what can be played now: the only move, or the list of them unless it is long. */
static void show_choice(const TerminalGame *game) {
    static const Phrase only = {{"the only move: {0} (Enter plays it)",
                                 "둘 수 있는 수는 하나입니다: {0} (Enter로 둡니다)"}};
    MoveList list;
    list_moves(game, &list);
    if (list.count > 1 && list.count <= LISTED_MAX)
        show_list(game, &list);
    if (list.count == 1) {
        char move[GAME_TEXT_BYTES], bytes[2 * GAME_TEXT_BYTES];
        Text text = text_over(bytes, sizeof bytes);
        print_move(game, list.moves[0], move);
        phrase_add(&text, only, game->cli->lang, (const char *const[]){move});
        puts(bytes);
    }
}

/* --- hints --- */

/* Finds a solver for hints: that of a computer player, or a separate one. */
static Status find_solver(TerminalGame *game, Solver **solver) {
    Status status = status_ok();
    if (!game->session.solver && !game->hints) {
        SolveLimits limits = cli_limits(game->cli);
        status = values_open(play_variant(game), VALUES_ANY, &limits, &game->hints, &game->missing);
    }
    *solver = game->session.solver ? game->session.solver : game->hints;
    return status;
}

/* Evaluates the moves of the current position. If a table is missing, the values are estimates. */
static Status evaluate_moves(TerminalGame *game) {
    Solver *solver;
    Status status = find_solver(game, &solver);
    if (!status_is_ok(&status))
        return status;
    assert(solver);
    return evaluate_state(play_variant(game), solver, record_state(&game->session.record),
                          &game->evaluation);
}

/* Shows all moves, best first with their values; in the game's own order if no values are
 * available. */
static void show_values(TerminalGame *game) {
    Status valued = evaluate_moves(game);
    bool known = status_is_ok(&valued);
    MoveList list;
    list_moves(game, &list);
    for (size_t i = 0; i < list.count; i++) {
        const MoveValue *value = &game->evaluation.moves[i];
        Move move = known ? value->move : list.moves[i];
        char number[32], text_of_move[GAME_TEXT_BYTES], bytes[2 * GAME_TEXT_BYTES];
        Text text = text_over(bytes, sizeof bytes);
        snprintf(number, sizeof number, "%zu)", number_of(&list, move));
        print_move(game, move, text_of_move);
        text_add_right(&text, number, list.count < 10 ? 4 : 5);
        text_add_char(&text, ' ');
        text_add_left(&text, text_of_move, known ? 12 : 0);
        if (known)
            cli_add_value_for_people(game->cli, &text, play_variant(game), value->value,
                                     value->is_estimate);
        puts(bytes);
    }
    if (!known)
        puts(valued.message);
    else if (evaluate_has_estimates(&game->evaluation))
        cli_print_note(game->cli,
                       game->evaluation.note[0] ? game->evaluation.note : game->missing.message);
}

/* Shows the best move and its value, or why there is no hint. */
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
    print_move(game, evaluation->moves[0].move, move);
    Text text = text_over(value, sizeof value);
    cli_add_value_for_people(game->cli, &text, variant, evaluation->moves[0].value,
                             evaluation->moves[0].is_estimate);
    text = text_over(bytes, sizeof bytes);
    phrase_add(&text, hint, game->cli->lang, (const char *const[]){move, value});
    puts(bytes);
}

/* --- user input --- */

typedef enum Command {
    COMMAND_MOVE, /* none of the words below */
    COMMAND_HELP,
    COMMAND_VALUES,
    COMMAND_HINT,
    COMMAND_UNDO,
    COMMAND_BOARD,
    COMMAND_QUIT
} Command;

/* Commands of both languages are accepted in either language. */
static Command find_command(const char *word) {
    static const struct {
        const char *word;
        Command command;
    } words[] = {{"help", COMMAND_HELP}, {"도움말", COMMAND_HELP}, {"?", COMMAND_VALUES},
                 {"값", COMMAND_VALUES}, {"hint", COMMAND_HINT},   {"힌트", COMMAND_HINT},
                 {"undo", COMMAND_UNDO}, {"무르기", COMMAND_UNDO}, {"board", COMMAND_BOARD},
                 {"판", COMMAND_BOARD},  {"quit", COMMAND_QUIT},   {"exit", COMMAND_QUIT},
                 {"q", COMMAND_QUIT},    {"끝", COMMAND_QUIT},     {"나가기", COMMAND_QUIT}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcasecmp(word, words[i].word) == 0)
            return words[i].command;
    return COMMAND_MOVE;
}

static void show_help(const TerminalGame *game) {
    static const Phrase help = {{"Type a move, such as {0}, or its number in the list: #1.\n"
                                 "  ?      all moves with their values, best first\n"
                                 "  hint   the best move and its value\n"
                                 "  undo   take back your last move\n"
                                 "  board  draw the board again\n"
                                 "  quit   leave (also: exit, q)",
                                 "수를 적거나(예: {0}) 목록의 번호를 적으세요(예: #1).\n"
                                 "  ?              모든 수와 값, 좋은 수부터\n"
                                 "  힌트, hint     최선의 수와 값\n"
                                 "  무르기, undo   마지막 수 무르기\n"
                                 "  판, board      판 다시 보기\n"
                                 "  끝, quit       나가기 (exit, q도 됩니다)"}};
    MoveList list;
    char move[GAME_TEXT_BYTES], bytes[4 * GAME_TEXT_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    list_moves(game, &list);
    print_move(game, list.moves[0], move);
    phrase_add(&text, help, game->cli->lang, (const char *const[]){move});
    puts(bytes);
}

/* The effect of a line typed at the prompt. */
typedef enum Answer { ANSWER_MOVED, ANSWER_AGAIN, ANSWER_QUIT } Answer;

static Status undo_move(TerminalGame *game, Answer *answer) {
    static const Phrase nothing = {{"there is nothing to take back", "무를 것이 없습니다"}};
    if (!session_undo(&game->session)) {
        puts(nothing.in[game->cli->lang]);
        return status_ok();
    }
    *answer = ANSWER_MOVED;
    return play_save(game);
}

static Status make_move(TerminalGame *game, const char *typed, Answer *answer) {
    Record *record = &game->session.record;
    Move move = 0;
    Status status =
        typed_move_read(play_variant(game), record_state(record), typed, game->cli->lang, &move);
    if (status_is_ok(&status))
        status = record_add(record, move);
    if (!status_is_ok(&status)) {
        puts(status.message);
        return status_ok();
    }
    *answer = ANSWER_MOVED;
    play_narrate_step(game, record->step_count - 1);
    return play_save(game);
}

/* Handles one line: a command or a move. A bad line is reported here. Only an error that ends the
 * game is returned. */
static Status answer_line(TerminalGame *game, const char *line, Answer *answer) {
    char storage[GAME_TEXT_BYTES];
    char *words[1];
    size_t count = text_split(line, storage, sizeof storage, words, 1);
    const char *word = count == 1 ? words[0] : count == 0 ? "" : line;
    MoveList list;
    *answer = ANSWER_AGAIN;
    switch (find_command(word)) {
    case COMMAND_HELP:
        show_help(game);
        break;
    case COMMAND_VALUES:
        show_values(game);
        break;
    case COMMAND_HINT:
        show_hint(game);
        break;
    case COMMAND_BOARD:
        play_show_board(game);
        show_choice(game);
        break;
    case COMMAND_UNDO:
        return undo_move(game, answer);
    case COMMAND_QUIT:
        *answer = ANSWER_QUIT;
        break;
    case COMMAND_MOVE:
        list_moves(game, &list);
        if (word[0] != '\0' || list.count == 1)
            return make_move(game, word, answer);
        show_help(game);
        break;
    }
    return status_ok();
}

Status play_ask(TerminalGame *game, int seat, bool *quit) {
    static const Phrase prompt = {{"player {0}> ", "선수 {0}> "}};
    char number[16], bytes[64];
    snprintf(number, sizeof number, "%d", seat);
    Text text = text_over(bytes, sizeof bytes);
    phrase_add(&text, prompt, game->cli->lang, (const char *const[]){number});

    play_show_board(game);
    show_choice(game);
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
