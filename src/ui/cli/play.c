/* malpan play: people and computers at one board, line by line. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/number.h"
#include "play/session.h"
#include "ui/cli/cli.h"
#include "values/evaluate.h"
#include "values/policy.h"

typedef struct Table {
    Cli *cli;
    Session session;
    const char *file; /* where the game is kept; NULL for nowhere */
    char *saved;      /* what was written there last; NULL for nothing yet */
    Evaluation evaluation;
    Solver *hints;  /* for `?`, where no computer player has a solver; NULL until then */
    Status missing; /* where those are estimates: why there are no exact values */
} Table;

static const Variant *variant_of(const Table *table) {
    return &table->session.record.variant;
}

/* --- the file of the game --- */

enum { RECORD_BYTES_MAX = 16 << 20 };

/* Another program may be playing this very game: its moves are not overwritten. */
static Status check_unchanged(const Table *table) {
    char *text;
    size_t size;
    if (!table->saved || !file_exists(table->file))
        return status_ok();
    Status status = file_read(table->file, RECORD_BYTES_MAX, &text, &size);
    if (!status_is_ok(&status))
        return status;
    if (strcmp(text, table->saved) != 0)
        status =
            status_make(STATUS_FAILED, "%s was changed by another program; the game goes on there",
                        quote(table->file).text);
    free(text);
    return status;
}

static Status save(Table *table) {
    if (!table->file)
        return status_ok();
    char *text = record_print(&table->session.record);
    if (!text)
        return status_make(STATUS_FAILED, "out of memory");
    Status status = check_unchanged(table);
    if (status_is_ok(&status))
        status = file_replace(table->file, text, strlen(text));
    free(table->saved);
    table->saved = text;
    return status;
}

/* A game that is taken up again has its rules, seats and throws already. */
static Status check_nothing_given(const Cli *cli, const char *file) {
    const Game *game = cli->variant.game;
    for (size_t i = 0; i < cli->line.given_count; i++) {
        const char *name = cli->line.given[i].spec->name;
        if (strcmp(name, "seats") == 0 || strcmp(name, "from") == 0 || strcmp(name, "seed") == 0 ||
            options_has(game->rules.options, game->rules.option_count, name))
            return status_make(STATUS_USAGE,
                               "--%s: %s holds a game already; leave the option out, or choose "
                               "another file",
                               name, quote(file).text);
    }
    return status_ok();
}

static Status load(const Cli *cli, const char *file, Record *record) {
    char *text;
    size_t size;
    Status status = check_nothing_given(cli, file);
    if (!status_is_ok(&status))
        return status;
    status = file_read(file, RECORD_BYTES_MAX, &text, &size);
    if (!status_is_ok(&status))
        return status;
    status = strlen(text) == size ? record_parse(text, record)
                                  : status_make(STATUS_FAILED, "not a game record");
    free(text);
    if (!status_is_ok(&status))
        return status_make(STATUS_FAILED, "%s: %s", quote(file).text, status.message);
    if (record->variant.game != cli->variant.game) {
        status = status_make(STATUS_USAGE, "%s is a game of %s, not of %s", quote(file).text,
                             record->variant.game->identity.name, cli->variant.game->identity.name);
        record_close(record);
    }
    return status;
}

/* --- who sits where --- */

const char *play_usual_seats(Cli *cli) {
    const Variant *variant = &cli->variant;
    SolveLimits limits = cli_limits(cli);
    if (variant->game->rules.player_count(&variant->rules) == 1)
        return "you";
    Status exact = values_check(variant, VALUES_EXACT, &limits);
    if (status_is_ok(&exact))
        return "you,perfect";
    return variant->game->search     ? "you,alphabeta"
           : variant->game->estimate ? "you,expectimax"
                                     : "you,random";
}

/* Reads `you,perfect`: a player for each seat; the last one named takes the seats that are left. */
Status play_set_seats(Cli *cli, const char *names) {
    if (!names)
        names = play_usual_seats(cli);
    int players = cli->variant.game->rules.player_count(&cli->variant.rules);
    char word[64];
    int count = 0;
    const char *at = names;
    for (;;) {
        size_t length = strcspn(at, ",");
        if (count == players)
            return status_make(STATUS_USAGE, "--seats: expected at most %d players, not %s",
                               players, quote(names).text);
        snprintf(word, sizeof word, "%.*s", length < sizeof word ? (int)length : 63, at);
        Status status = seat_parse(word, &cli->seats[count]);
        if (!status_is_ok(&status))
            return status;
        count++;
        if (at[length] == '\0')
            break;
        at += length + 1;
    }
    for (int i = count; i < players; i++)
        cli->seats[i] = cli->seats[count - 1];
    return status_ok();
}

static Status new_record(const Cli *cli, Record *record) {
    const OptionGiven *from = options_find(&cli->line, "from");
    const Variant *variant = &cli->variant;
    State start = variant->game->tree.start(&variant->rules);
    if (from) {
        Status status = variant->game->text.parse_state(&variant->rules, from->value, &start);
        if (status_is_ok(&status))
            status = cli_check_goes_on(variant, &start);
        if (!status_is_ok(&status))
            return status;
    }
    return record_open(variant, cli->seats, cli->seed, &start, record);
}

/* --- at the board --- */

static void show_board(const Table *table) {
    const Variant *variant = variant_of(table);
    char bytes[GAME_DRAW_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    variant->game->text.draw(&variant->rules, record_state(&table->session.record),
                             cli_style(table->cli), &text);
    putchar('\n');
    fputs(bytes, stdout);
}

static void tell_step(const Table *table, size_t step) {
    const Variant *variant = variant_of(table);
    const Record *record = &table->session.record;
    char bytes[GAME_DRAW_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    variant->game->text.narrate(&variant->rules, &record->states[step], record->moves[step],
                                table->cli->lang, &text);
    puts(bytes);
}

/* What a computer player thought of its move, if it tells. */
static void tell_thought(const Table *table, const Player *player) {
    char bytes[GAME_DRAW_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    if (!player || !player->describe || table->cli->quiet)
        return;
    player->describe(player, &text);
    printf("  (%s)\n", bytes);
}

static void tell_end(const Table *table) {
    const Variant *variant = variant_of(table);
    char bytes[GAME_DRAW_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    variant->game->text.narrate_end(&variant->rules, record_state(&table->session.record),
                                    table->cli->lang, &text);
    puts(bytes);
}

/* A solver for `?`: that of the computer players, or one of its own. */
static Status find_solver(Table *table, Solver **solver) {
    Status status = status_ok();
    if (!table->session.solver && !table->hints) {
        SolveLimits limits = cli_limits(table->cli);
        status =
            values_open(variant_of(table), VALUES_ANY, &limits, &table->hints, &table->missing);
    }
    *solver = table->session.solver ? table->session.solver : table->hints;
    return status;
}

/* Values the moves where the game stands; only by estimates where a table is missing. */
static Status evaluate_moves(Table *table, bool *is_estimate) {
    Solver *solver;
    Status status = find_solver(table, &solver);
    if (!status_is_ok(&status))
        return status;
    assert(solver);
    status = evaluate_state(variant_of(table), solver, record_state(&table->session.record),
                            &table->evaluation);
    *is_estimate = status_is_ok(&status) && evaluate_has_estimates(&table->evaluation);
    return status;
}

/* All moves, best first with their values; or, where there are none to be had, as they come. */
static void show_moves(Table *table) {
    const Variant *variant = variant_of(table);
    const State *state = record_state(&table->session.record);
    bool is_estimate = false;
    Status valued = evaluate_moves(table, &is_estimate);
    Move moves[GAME_MOVES_MAX];
    size_t count = variant->game->tree.moves(&variant->rules, state, moves);
    for (size_t i = 0; i < count; i++) {
        char bytes[2 * GAME_TEXT_BYTES];
        Text text = text_over(bytes, sizeof bytes);
        char move[GAME_TEXT_BYTES];
        Text move_text = text_over(move, sizeof move);
        const MoveValue *value = &table->evaluation.moves[i];
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
        cli_print_note(table->cli,
                       table->evaluation.note[0] ? table->evaluation.note : table->missing.message);
}

/* The best move and its value, or why they are not to be had. */
static void show_hint(Table *table) {
    static const Phrase hint = {{"hint: {0}, {1}", "추천: {0}, {1}"}};
    const Variant *variant = variant_of(table);
    const State *state = record_state(&table->session.record);
    Evaluation *evaluation = &table->evaluation;
    Solver *solver = NULL;
    Status status = find_solver(table, &solver);
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
    phrase_add(&text, hint, table->cli->lang, (const char *const[]){move, value});
    puts(bytes);
}

static const Phrase help_text = {
    {"a move, such as {0}; ? for the moves with their values; undo; board; quit",
     "수를 적으세요(예: {0}); ? 둘 수 있는 수와 값; undo 무르기; board 판 보기; quit 끝내기"}};

static void show_help(const Table *table) {
    const Variant *variant = variant_of(table);
    const State *state = record_state(&table->session.record);
    Move moves[GAME_MOVES_MAX];
    char move[GAME_TEXT_BYTES];
    char bytes[2 * GAME_TEXT_BYTES];
    Text move_text = text_over(move, sizeof move);
    Text text = text_over(bytes, sizeof bytes);
    variant->game->tree.moves(&variant->rules, state, moves);
    variant->game->text.print_move(&variant->rules, state, moves[0], &move_text);
    const char *const words[] = {move};
    phrase_add(&text, help_text, table->cli->lang, words);
    puts(bytes);
}

/* What a line typed at the prompt led to. */
typedef enum Answer { ANSWER_MOVED, ANSWER_AGAIN, ANSWER_QUIT } Answer;

/* Acts on one line: a word of command, or a move. Only what breaks the game is a failure. */
static Status answer_line(Table *table, const char *line, Answer *answer) {
    static const Phrase nothing = {{"there is nothing to take back", "무를 것이 없습니다"}};
    Record *record = &table->session.record;
    const Variant *variant = variant_of(table);
    char storage[GAME_TEXT_BYTES];
    char *words[1];
    size_t count = text_split(line, storage, sizeof storage, words, 1);
    const char *word = count == 1 ? words[0] : count == 0 ? "" : line;
    Status status = status_ok();
    *answer = ANSWER_AGAIN;
    if (*word == '\0' || strcmp(word, "help") == 0) {
        show_help(table);
    } else if (strcmp(word, "quit") == 0 || strcmp(word, "q") == 0) {
        *answer = ANSWER_QUIT;
    } else if (strcmp(word, "board") == 0) {
        show_board(table);
    } else if (strcmp(word, "?") == 0) {
        show_moves(table);
    } else if (strcmp(word, "undo") == 0) {
        if (session_undo(&table->session)) {
            *answer = ANSWER_MOVED;
            status = save(table);
        } else {
            puts(nothing.in[table->cli->lang]);
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
        tell_step(table, record->step_count - 1);
        status = save(table);
    }
    return status;
}

/* Asks the person at `seat` until it moves, quits, or the input ends. */
static Status ask(Table *table, int seat, bool *quit) {
    static const Phrase prompt = {{"player {0}> ", "선수 {0}> "}};
    char number[16], bytes[64];
    snprintf(number, sizeof number, "%d", seat);
    const char *const words[] = {number};
    Text text = text_over(bytes, sizeof bytes);
    phrase_add(&text, prompt, table->cli->lang, words);

    show_board(table);
    if (options_find(&table->cli->line, "hint"))
        show_hint(table);
    char *line = NULL;
    size_t capacity = 0;
    Answer answer = ANSWER_AGAIN;
    Status status = status_ok();
    while (answer == ANSWER_AGAIN && status_is_ok(&status)) {
        fputs(bytes, stdout);
        fflush(stdout);
        if (!cli_read_line(&line, &capacity)) {
            putchar('\n');
            answer = ANSWER_QUIT;
            status = cli_check_input();
            break;
        }
        status = answer_line(table, line, &answer);
    }
    free(line);
    *quit = answer == ANSWER_QUIT;
    return status;
}

static Status play_on(Table *table) {
    static const Phrase kept = {{"the game is kept in {0}; the same command takes it up again",
                                 "{0}에 저장했습니다. 같은 명령으로 이어서 둘 수 있습니다"}};
    static const Phrase endless = {{"The same position for the fifth time: nobody wins.",
                                    "같은 자리가 다섯 번 나왔습니다: 승자 없음."}};
    Session *session = &table->session;
    bool quit = false, goes_round = false;
    Status status = save(table);
    while (status_is_ok(&status) && !quit) {
        int waits_for = session_waits_for(session);
        goes_round = session_is_endless(session);
        if (waits_for == GAME_END || goes_round)
            break;
        if (waits_for == GAME_CHANCE) {
            const Player *player = session_computer(session);
            status = session_step(session);
            if (status_is_ok(&status)) {
                tell_step(table, session->record.step_count - 1);
                tell_thought(table, player);
                status = save(table);
            }
        } else {
            status = ask(table, waits_for, &quit);
        }
    }
    if (!status_is_ok(&status))
        return status;
    if (!quit) {
        show_board(table);
        if (goes_round)
            puts(endless.in[table->cli->lang]);
        else
            tell_end(table);
    } else if (table->file) {
        char bytes[GAME_TEXT_BYTES];
        Text text = text_over(bytes, sizeof bytes);
        const char *const words[] = {table->file};
        phrase_add(&text, kept, table->cli->lang, words);
        puts(bytes);
    }
    return status;
}

Status play_run(Cli *cli) {
    static Table table;
    const OptionGiven *file = options_find(&cli->line, "file");
    Record record = {.seed = 0};
    table = (Table){.cli = cli, .file = file ? file->value : NULL};
    Status status = table.file && file_exists(table.file) ? load(cli, table.file, &record)
                                                          : new_record(cli, &record);
    if (!status_is_ok(&status))
        return status;
    SolveLimits limits = cli_limits(cli);
    status = session_open(&table.session, &record, &limits);
    if (!status_is_ok(&status))
        return status;
    status = play_on(&table);
    free(table.saved);
    if (table.hints)
        table.hints->free(table.hints);
    session_close(&table.session);
    return status;
}

static Status run(Cli *cli) {
    const OptionGiven *names = options_find(&cli->line, "seats");
    const OptionGiven *from = options_find(&cli->line, "from");
    Status status = cli_variant_for(cli, from ? from->value : NULL, &cli->variant);
    if (status_is_ok(&status))
        status = play_set_seats(cli, names ? names->value : NULL);
    return status_is_ok(&status) ? play_run(cli) : status;
}

static const char *const examples[] = {"play {game}", "play {game} --seats you,random --seed 7",
                                       "play {game} --seats random --file game.txt", NULL};

static const OptionSpec options[] = {
    {.name = "seats",
     .argument = "LIST",
     .help = "who plays, seat by seat, such as you,random (you and the best there is)"},
    {.name = "from", .argument = "POSITION", .help = "begin at this position"},
    {.name = "hint", .help = "show the best move and its value at every turn"},
    {.name = "file", .argument = "FILE", .help = "keep the game there; go on with it if it exists"},
};

const Verb verb_play = {
    .name = "play",
    .arguments = "GAME",
    .summary = "people and computers at one board",
    .details =
        "At the prompt: a move; ? for all moves with their values; undo; board; help; quit.\n"
        "With --file the game is written after every step and can be taken up again.\n",
    .examples = examples,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .game = VERB_GAME_MUST,
    .takes_rules = true,
    .run = run};
