/* yunnori: the classic terminal game, byte for byte, over the rules in games/yut.
 *
 * Standard output contains only the game. A rejected answer is explained on standard error, and the
 * prompt is repeated.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/number.h"
#include "base/random.h"
#include "compat/common/program.h"
#include "compat/yunnori/input.h"
#include "compat/yunnori/saves.h"
#include "compat/yunnori/screen.h"
#include "compat/yunnori/users.h"
#include "terminal/color.h"

static const char usage[] =
    "usage: yunnori [basic | advanced] [OPTIONS]\n"
    "\n"
    "The classic Yut game for 2 to 4 people. basic: choose the number of players and pieces.\n"
    "advanced: log in, choose animals, save and resume. Without a word it asks which.\n"
    "\n"
    "  --seed N           make the sticks repeatable\n"
    "  --throws LIST      the first throws, such as gae,yut,do; random ones follow\n"
    "  --throws-from FILE the same from a file\n"
    "  --color WHEN       always, never or auto (auto)\n"
    "  --ascii            a and b instead of the squares for pieces not started and arrived\n"
    "  --empty-rows       print a row of pieces with nothing to show as an empty line\n"
    "  --users FILE       who may log in, a line `ID PASSWORD` each (user_info.txt)\n"
    "  --saves FILE       where games are saved (game_info.txt)\n"
    "  --help, --version\n"
    "\n"
    "examples:\n"
    "  yunnori basic --seed 7\n"
    "  yunnori advanced --users user_info.txt --saves game_info.txt\n";

static const OptionSpec options[] = {
    {.name = "seed", .argument = "N"},
    {.name = "throws", .argument = "LIST"},
    {.name = "throws-from", .argument = "FILE"},
    {.name = "color", .argument = "WHEN"},
    {.name = "ascii"},
    {.name = "empty-rows"},
    {.name = "users", .argument = "FILE"},
    {.name = "saves", .argument = "FILE"},
};

static Status run(const CommandLine *line, void *context);

static const CompatProgram yunnori = {.name = "yunnori",
                                      .usage = usage,
                                      .options = options,
                                      .option_count = sizeof options / sizeof options[0],
                                      .run = run};

/* The state of the program, a static variable of main. */
typedef struct Program {
    Input input;
    Screen screen;
    Random random;
    YutResult *throws; /* predetermined throws, used in order */
    size_t throw_count, throws_used;
    const char *users, *saves;
    bool advanced;
    /* The players who are logged in, in order of play. */
    int player_count;
    char ids[YUT_PLAYERS_MAX][USERS_ID_BYTES];
} Program;

/* How a game or a prompt ended. */
typedef enum Outcome { OUTCOME_DONE, OUTCOME_STOPPED } Outcome;

static void complain(const Status *status) {
    program_complain(&yunnori, status);
}

/* --- prompts --- */

static bool ask_word(Program *program, const char *prompt, char word[INPUT_WORD_BYTES]) {
    fputs(prompt, stdout);
    if (fflush(stdout) != 0)
        return false; /* the output cannot be written: stop */
    return input_word(&program->input, word);
}

/* Asks until the answer is a number from `low` to `high`. */
static Outcome ask_number(Program *program, const char *prompt, uint64_t low, uint64_t high,
                          int *number) {
    char word[INPUT_WORD_BYTES];
    while (ask_word(program, prompt, word)) {
        uint64_t value;
        Status status = number_parse("answer", word, low, high, &value);
        if (status_is_ok(&status)) {
            *number = (int)value;
            return OUTCOME_DONE;
        }
        complain(&status);
    }
    return OUTCOME_STOPPED;
}

/* --- a game --- */

static YutResult next_throw(Program *program, const YutRules *rules) {
    if (program->throws_used < program->throw_count)
        return program->throws[program->throws_used++];
    uint64_t whole = 0;
    for (int i = 0; i < YUT_RESULTS; i++)
        whole += rules->odds[i];
    uint64_t x = random_below(&program->random, whole);
    int result = 0;
    while (x >= rules->odds[result])
        x -= rules->odds[result++];
    return (YutResult)result;
}

static void throw_sticks(Program *program, const YutRules *rules, YutState *state) {
    while (state->throws > 0)
        yut_throw(rules, state, next_throw(program, rules));
}

/* Whether one of the moves is from this square and, unless `result` is YUT_RESULTS, by this result.
 */
static bool is_possible(const Move moves[], size_t count, int square, YutResult result) {
    for (size_t i = 0; i < count; i++)
        if (yut_move_square(moves[i]) == square &&
            (result == YUT_RESULTS || yut_move_result(moves[i]) == result))
            return true;
    return false;
}

static Outcome ask_move(Program *program, const YutRules *rules, const YutState *state,
                        Move *move) {
    Rules packed_rules = yut_rules_pack(rules);
    State packed_state = yut_state_pack(state);
    Move moves[GAME_MOVES_MAX];
    size_t count = yut_moves(&packed_rules, &packed_state, moves);
    char word[INPUT_WORD_BYTES];
    uint64_t square = 0;
    for (;;) {
        if (!ask_word(program, ">> position : ", word))
            return OUTCOME_STOPPED;
        if (number_read(word, &square) && square < YUT_ARRIVED &&
            is_possible(moves, count, (int)square, YUT_RESULTS))
            break;
        Status status = status_make(STATUS_USAGE,
                                    "position: expected one of the pieces shown, with a result "
                                    "that it can play, not %s",
                                    quote(word).text);
        complain(&status);
    }
    for (;;) {
        YutResult result;
        if (!ask_word(program, ">> yut : ", word))
            return OUTCOME_STOPPED;
        if (yut_find_result(word, &result) && is_possible(moves, count, (int)square, result)) {
            *move = yut_move_pack((int)square, result, false);
            return OUTCOME_DONE;
        }
        Status status =
            status_make(STATUS_USAGE, "yut: expected a result of the list that %d can play, not %s",
                        (int)square, quote(word).text);
        complain(&status);
    }
}

/* Plays one turn, from the throw to the last result. Before and after, a throw is due. */
static Outcome play_turn(Program *program, const YutRules *rules, YutState *state,
                         const char *const ids[]) {
    int player = state->turn;
    throw_sticks(program, rules, state);
    while (state->turn == player && state->throws == 0 && yut_winner(rules, state) < 0) {
        Move move;
        screen_state(&program->screen, rules, state, ids);
        screen_turn(&program->screen, rules, state, ids ? ids[player] : NULL);
        if (ask_move(program, rules, state, &move) == OUTCOME_STOPPED)
            return OUTCOME_STOPPED;
        yut_play(rules, state, move);
        if (state->turn == player)
            throw_sticks(program, rules, state);
    }
    return OUTCOME_DONE;
}

static Outcome play_basic(Program *program) {
    Rules standard = yut_rules_default();
    YutRules rules = yut_rules(&standard);
    YutState state = {.throws = 1};
    int players, pieces;
    if (ask_number(program, "number of players (2, 3, 4) : ", 2, 4, &players) == OUTCOME_STOPPED ||
        ask_number(program, "number of pieces per player (2, 3, 4) : ", 1, 4, &pieces) ==
            OUTCOME_STOPPED)
        return OUTCOME_STOPPED;
    rules.players = (uint8_t)players;
    rules.pieces = (uint8_t)pieces;
    while (yut_winner(&rules, &state) < 0)
        if (play_turn(program, &rules, &state, NULL) == OUTCOME_STOPPED)
            return OUTCOME_STOPPED;
    printf("Player %d win\n", yut_winner(&rules, &state));
    return OUTCOME_DONE;
}

/* --- the advanced game --- */

static void log_everybody_out(Program *program) {
    program->player_count = 0;
}

static bool save_game(const Program *program, const SavedGame *game) {
    Status status = saves_store(program->saves, game);
    if (!status_is_ok(&status))
        complain(&status);
    return status_is_ok(&status);
}

/* Shows the game between two turns and asks whether to continue. `leave` is set if it was saved. If
 * it cannot be saved, the question is repeated. */
static Outcome ask_to_go_on(Program *program, const SavedGame *game, const char *const ids[],
                            bool *leave) {
    int choice = 0;
    Outcome outcome;
    screen_state(&program->screen, &game->rules, &game->state, ids);
    do
        outcome =
            ask_number(program, "Continue (0) / Save and Exit the game (1) : ", 0, 1, &choice);
    while (outcome == OUTCOME_DONE && choice == 1 && !save_game(program, game));
    *leave = outcome == OUTCOME_DONE && choice == 1;
    return outcome;
}

/* Plays until somebody has won or the players save and leave. `game` is the state between the last
 * two turns; that is what is saved when the program is stopped. */
static Outcome play_advanced(Program *program, SavedGame *game) {
    const char *ids[YUT_PLAYERS_MAX];
    for (int i = 0; i < game->player_count; i++)
        ids[i] = game->ids[i];
    for (;;) {
        YutState state = game->state;
        bool leave = false;
        Outcome outcome = play_turn(program, &game->rules, &state, ids);
        if (outcome == OUTCOME_DONE && yut_winner(&game->rules, &state) >= 0) {
            printf("Player %d win\n", yut_winner(&game->rules, &state));
            Status status = saves_remove(program->saves, game);
            if (!status_is_ok(&status))
                complain(&status);
            return outcome;
        }
        if (outcome == OUTCOME_DONE) {
            game->state = state;
            outcome = ask_to_go_on(program, game, ids, &leave);
        }
        if (outcome == OUTCOME_STOPPED)
            save_game(program, game);
        if (leave)
            puts("Game saved successfully!");
        if (leave || outcome == OUTCOME_STOPPED)
            return outcome;
    }
}

static Outcome choose_animals(Program *program, SavedGame *game) {
    for (int i = 0; i < game->player_count; i++) {
        int animal;
        printf("Select animal type of %s\n", game->ids[i]);
        if (ask_number(program, "(0: pig, 1: dog, 2: sheep, 3:cow) : ", YUT_PIG, YUT_COW,
                       &animal) == OUTCOME_STOPPED)
            return OUTCOME_STOPPED;
        game->rules.animals[i] = (uint8_t)animal;
    }
    return OUTCOME_DONE;
}

static Outcome start_advanced(Program *program) {
    if (program->player_count < 2) {
        puts("More than 1 player is needed to start the game");
        return OUTCOME_DONE;
    }
    Rules standard = yut_rules_default();
    SavedGame game = {.player_count = program->player_count,
                      .rules = yut_rules(&standard),
                      .state = {.throws = 1}};
    game.rules.players = (uint8_t)game.player_count;
    memcpy(game.ids, program->ids, sizeof game.ids);
    SavedGame saved = game;
    bool found;
    Status status = saves_find(program->saves, stderr, &saved, &found);
    if (!status_is_ok(&status))
        complain(&status);
    int resume = 0;
    if (found && ask_number(program, "There is a saved game. Start a new game (0) / Resume (1) : ",
                            0, 1, &resume) == OUTCOME_STOPPED)
        return OUTCOME_STOPPED;
    if (resume == 1)
        game = saved;
    else if (choose_animals(program, &game) == OUTCOME_STOPPED)
        return OUTCOME_STOPPED;
    log_everybody_out(program);
    return play_advanced(program, &game);
}

static Outcome log_in(Program *program) {
    char id[INPUT_WORD_BYTES], password[INPUT_WORD_BYTES];
    if (!ask_word(program, "ID : ", id))
        return OUTCOME_STOPPED;
    if (!input_secret(&program->input, "PASSWORD : ", password))
        return OUTCOME_STOPPED;
    bool accepted = false;
    Status status = users_check(program->users, id, password, stderr, &accepted);
    if (!status_is_ok(&status))
        complain(&status);
    for (int i = 0; i < program->player_count; i++)
        accepted = accepted && strcmp(program->ids[i], id) != 0;
    accepted = accepted && program->player_count < YUT_PLAYERS_MAX;
    if (accepted) {
        assert(strlen(id) < USERS_ID_BYTES); /* longer ones do not match */
        snprintf(program->ids[program->player_count++], USERS_ID_BYTES, "%s", id);
    }
    puts(accepted ? "Login Succeed!" : "Login Failed!");
    return OUTCOME_DONE;
}

/* --- the menu --- */

static void print_menu(const Program *program) {
    screen_menu_head();
    if (!program->advanced) {
        puts("1. game start\n2. end program");
        return;
    }
    fputs("Logged-in ID List : ", stdout);
    if (program->player_count == 0)
        fputs("No player is logged in", stdout);
    for (int i = 0; i < program->player_count; i++)
        printf("%s%s", i > 0 ? " " : "", program->ids[i]);
    puts("\n1. game start\n2. login\n3. end program");
}

static void run_menu(Program *program) {
    int last = program->advanced ? 3 : 2;
    Outcome outcome = OUTCOME_DONE;
    while (outcome == OUTCOME_DONE) {
        int choice;
        print_menu(program);
        outcome =
            ask_number(program, "Select the function you want : ", 1, (uint64_t)last, &choice);
        if (outcome == OUTCOME_STOPPED || choice == last)
            return;
        if (choice == 1)
            outcome = program->advanced ? start_advanced(program) : play_basic(program);
        else
            outcome = log_in(program);
    }
}

/* --- the command line --- */

/* Reads throws separated by commas or white space. */
static Status read_throws(Program *program, const char *text) {
    static const char *const separators = ", \t\r\n\v\f";
    program->throws = malloc((strlen(text) / 2 + 1) * sizeof *program->throws);
    if (!program->throws)
        return status_make(STATUS_FAILED, "out of memory");
    for (text += strspn(text, separators); *text; text += strspn(text, separators)) {
        char word[16];
        size_t length = strcspn(text, separators);
        snprintf(word, sizeof word, "%.*s", length < sizeof word ? (int)length : 15, text);
        if (length >= sizeof word || !yut_find_result(word, &program->throws[program->throw_count]))
            return status_make(STATUS_USAGE,
                               "throws: expected back-do, do, gae, geol, yut or mo, not %s",
                               quote(word).text);
        program->throw_count++;
        text += length;
    }
    return status_ok();
}

static Status read_throws_option(Program *program, const CommandLine *line) {
    enum { FILE_BYTES_MAX = 16 << 20 };
    const OptionGiven *list = options_find(line, "throws");
    const OptionGiven *from = options_find(line, "throws-from");
    if (list && from)
        return status_make(STATUS_USAGE, "expected --throws or --throws-from, not both");
    if (list)
        return read_throws(program, list->value);
    if (!from)
        return status_ok();
    char *text;
    size_t size;
    Status status = file_read(from->value, FILE_BYTES_MAX, &text, &size);
    if (!status_is_ok(&status))
        return status;
    status = read_throws(program, text);
    free(text);
    return status;
}

static Status read_options(Program *program, const CommandLine *line) {
    const OptionGiven *seed = options_find(line, "seed");
    const OptionGiven *color = options_find(line, "color");
    const OptionGiven *users = options_find(line, "users");
    const OptionGiven *saves = options_find(line, "saves");
    uint64_t number = 0;
    Status status =
        seed ? number_parse("--seed", seed->value, 0, UINT64_MAX, &number) : status_ok();
    if (!status_is_ok(&status))
        return status;
    program->random = random_from_seed(seed ? number : random_system_seed(), 0);
    program->users = users ? users->value : "user_info.txt";
    program->saves = saves ? saves->value : "game_info.txt";
    program->screen.ascii = options_find(line, "ascii") != NULL;
    program->screen.empty_rows = options_find(line, "empty-rows") != NULL;
    status = color_parse(color ? color->value : "auto", &program->screen.color);
    return status_is_ok(&status) ? read_throws_option(program, line) : status;
}

/* Sets which game to play: from the command line, or by asking. */
static Outcome choose_kind(Program *program, const CommandLine *line) {
    if (line->word_count == 1) {
        program->advanced = strcmp(line->words[0], "advanced") == 0;
        return OUTCOME_DONE;
    }
    int choice;
    Outcome outcome = ask_number(program, "basic (1) / advanced (2) : ", 1, 2, &choice);
    if (outcome == OUTCOME_DONE)
        program->advanced = choice == 2;
    return outcome;
}

static Status check_words(const CommandLine *line) {
    static const char *const kinds[] = {"basic", "advanced"};
    if (line->word_count > 1)
        return status_make(STATUS_USAGE, "expected basic or advanced, not %zu words",
                           line->word_count);
    if (line->word_count == 1 && strcmp(line->words[0], "basic") != 0 &&
        strcmp(line->words[0], "advanced") != 0)
        return options_unknown("game", line->words[0], kinds, 2, "expected basic or advanced");
    return status_ok();
}

static Status run(const CommandLine *line, void *context) {
    Program *program = context;
    Status status = check_words(line);
    if (status_is_ok(&status))
        status = read_options(program, line);
    if (!status_is_ok(&status))
        return status;
    input_open(&program->input);
    if (choose_kind(program, line) == OUTCOME_DONE)
        run_menu(program);
    return status_ok();
}

int main(int argc, char **argv) {
    static Program program;
    int code = program_main(&yunnori, &program, argc, argv);
    free(program.throws);
    if (input_stop_signal() != 0) {
        /* End by that signal, as its sender expects. */
        sigset_t none;
        sigemptyset(&none);
        signal(input_stop_signal(), SIG_DFL);
        raise(input_stop_signal());
        sigprocmask(SIG_SETMASK, &none, NULL);
    }
    return code;
}
