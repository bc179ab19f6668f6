/* The command line: declarations shared by the verbs. Each verb has its own file.
 *
 * Everything here runs on the main thread.
 */
#ifndef MALPAN_UI_CLI_CLI_H
#define MALPAN_UI_CLI_CLI_H

#include <limits.h>
#include <stdio.h>

#include "base/options.h"
#include "base/phrase.h"
#include "game/commands.h"
#include "game/solver.h"
#include "kernel/exchange.h"
#include "players/player.h"
#include "terminal/progress_line.h"
#include "ui/json/encode.h"
#include "values/registry.h"

typedef struct Verb Verb;

/* The longest line that is read, and a buffer for it. */
enum { CLI_LINE_MAX = 65536, CLI_LINE_BYTES = CLI_LINE_MAX + 1 };

typedef struct Cli {
    CommandLine line;
    const Verb *verb;
    const char *const *words; /* after the verb and, if it takes one, the game */
    size_t word_count;
    Variant variant; /* the game and its rules, if the verb takes a game */
    State state;     /* the position that was given, or the start */
    bool json, value, quiet, color, ascii;
    bool interactive; /* standard input and output are a terminal */
    Lang lang;
    int columns;
    int threads;
    size_t memory_bytes;
    bool memory_given;
    char tables[PATH_MAX]; /* the folder of solved tables; "" for none */
    uint64_t seed;
    bool seed_given;
    Seat seats[GAME_PLAYERS_MAX]; /* for play */
    ProgressLine progress;
    Exchange *exchange; /* the ranks of malpan-mpi, which all run the same command; else NULL */
    bool in_long_line;  /* the rest of a line of standard input that was too long is still unread */
    int input_error;    /* errno of the read that failed, or 0 */
} Cli;

/* The players that a verb takes; its help lists them. */
typedef enum VerbPlayers {
    VERB_PLAYERS_NONE,
    VERB_PLAYERS_COMPUTERS,
    VERB_PLAYERS_ALL
} VerbPlayers;

typedef enum VerbGame { VERB_GAME_NONE, VERB_GAME_MAY, VERB_GAME_MUST } VerbGame;

struct Verb {
    const char *name;
    const char *arguments; /* "GAME [POSITION | -]" */
    const char *summary;   /* one line */
    const char *summary_ko;
    /* Paragraphs for its own help, or NULL. An empty line separates two paragraphs; other newlines
     * are spaces. */
    const char *details;
    const char *details_ko;
    /* Example arguments after `malpan `, ending with NULL; `{game}` and `{position}` are filled in.
     * Each runs exactly as shown. */
    const char *const *examples;
    const OptionSpec *options; /* its own, in addition to the common ones */
    size_t option_count;
    VerbGame game;
    /* Whether it can do anything with a game; NULL: with every game. */
    bool (*suits_game)(const Game *game);
    size_t words_max;            /* after the game */
    const char *position_option; /* the option that holds a position, or NULL */
    bool takes_position;         /* a position follows the game, or `-` for many from stdin */
    bool takes_rules;            /* accepts the game's rule options */
    VerbPlayers players;         /* the kind of players it takes, as arguments or in an option */
    bool takes_json, takes_value;
    bool runs_on_ranks; /* the ranks of malpan-mpi can share the work; rank 0 prints */
    Status (*run)(Cli *cli);
};

extern const Verb verb_play, verb_watch, verb_eval, verb_match, verb_rate, verb_perft, verb_solve,
    verb_fetch, verb_verify, verb_learn, verb_tour, verb_games, verb_stats, verb_serve, verb_review,
    verb_engine, verb_complete, verb_bench, verb_help, verb_version;

/* --- run.c --- */

/* Runs a command line: prints results, and the error if it fails. With an exchange, every rank
 * calls this, and only rank 0 prints. */
Status cli_run(int argc, char **argv, Exchange *exchange);

/* --- ranks.c --- */

/* Compares program and arguments of all ranks. The error names the first rank that differs from
 * rank 0. */
Status cli_compare_ranks(const Cli *cli, size_t argument_count, const char *const arguments[]);

/* Whether the ranks can share the work of the verb. */
Status cli_check_ranks(const Cli *cli);

/* --- verbs.c --- */

size_t verbs_count(void);
const Verb *verbs_at(size_t index);

/* Finds a verb. An unknown name gets a suggestion, which may also be a game. */
Status verbs_find(const char *name, const Verb **verb);

/* Whether the verb accepts an option, for a game (NULL for none). */
bool verb_accepts(const Verb *verb, const Game *game, const char *option);

/* The same for a game's own command. */
bool command_accepts(const GameCommand *command, const Game *game, const char *option);

enum { CLI_OPTIONS_MAX = 128 };

/* Lists every option of the program: the common ones, those of the verbs and those of the games. An
 * option with a given name either always takes a value or never does, so options may appear before
 * the verb. Returns how many there are. */
size_t cli_list_options(const OptionSpec *specs[CLI_OPTIONS_MAX]);

/* Whether every verb accepts a common option; false for any other option. */
bool cli_is_universal(const OptionSpec *option);

/* --- common.c: the options every verb has --- */

enum { CLI_COMMON_COUNT = 13 };
extern const OptionSpec cli_common_options[CLI_COMMON_COUNT];

/* Reads the common options and the environment. */
Status cli_read_common(Cli *cli);

/* Resolves the rules given on the command line together with a position (NULL for the start); see
 * game/resolve.h. */
Status cli_resolve(const Cli *cli, const char *position, Variant *variant, State *state);

/* Whether to read the positions from standard input: the only word is `-`. */
bool cli_reads_positions(const Cli *cli);

/* The error of a verb that needs a game and has none. */
Status cli_need_game(const Cli *cli);

/* Rejects a finished game if values are outcomes: it has no value. */
Status cli_check_goes_on(const Variant *variant, const State *state);

SolveLimits cli_limits(Cli *cli);

/* The limits for long computations on tables: without --memory, three quarters of the machine's
 * memory, shared by the ranks on it. */
SolveLimits cli_limits_for_tables(Cli *cli);
DrawStyle cli_style(const Cli *cli);

/* The result of cli_read_line. */
typedef enum CliInput { CLI_INPUT_LINE, CLI_INPUT_LONG_LINE, CLI_INPUT_END } CliInput;

/* Reads a line of standard input, without its newline. Zero bytes become 1, so that no text can
 * hide after them. A line that does not fit into `line` is reported as soon as it exceeds the
 * limit, and the next call skips the rest of it. A read error also ends the input: see
 * cli_check_input. */
CliInput cli_read_line(Cli *cli, char line[CLI_LINE_BYTES]);

/* The error for a line that is too long. */
Status cli_long_line(void);

/* The error that ended the input, or success at its ordinary end. */
Status cli_check_input(const Cli *cli);

/* Adds the typical error of an estimate, if it is known: `±0.008`, with `space` around the sign. */
void cli_add_typical_error(const Cli *cli, Text *text, double typical_error, const char *space);

/* Adds a value in the language of the command line (game/value_text.h). */
void cli_add_value_for_people(const Cli *cli, Text *text, const Variant *variant, double value,
                              bool is_estimate);

/* Reads the option --numbers: whether to label the squares of a board. */
Status cli_read_numbers(const Cli *cli, bool usual, bool *numbers);

/* Prints the note below estimates: what the mark means, and why there are no exact values. */
void cli_print_note(const Cli *cli, const char *why);

/* --- json_output.c --- */

/* Prints a JSON value on one line; takes ownership of the reference. NULL stands for a value that
 * could not be allocated. Returns STATUS_FAILED, and has printed nothing, if memory ran out. */
Status cli_print_json(json_t *json);

/* A file name as JSON text: names may be any bytes, but JSON is UTF-8. NULL if memory ran out. */
json_t *cli_json_path(const char *path);

/* Prints an error as JSON on one line: this one, or that memory ran out. */
void cli_print_json_error(const Status *status);

/* --- help.c --- */

void help_overview(const Cli *cli);
void help_verb(const Cli *cli, const Verb *verb, const Game *game);
void help_game(const Cli *cli, const Game *game);
void help_command(const Cli *cli, const Game *game, const GameCommand *command);

/* Prints an entry of a list: its name in `width` columns, and next to it its meaning, wrapped to
 * the width of the terminal. The meaning goes below the name if there is no room next to it. */
void help_print_entry(const Cli *cli, const char *name, int width, const char *meaning);

/* --- chooser.c, and the functions of verbs that it uses --- */

/* `malpan` alone: not in the list of verbs. */
extern const Verb verb_lobby;

Status chooser_run(Cli *cli);
Status tour_run(Cli *cli);
Status play_run(Cli *cli);

/* Sets the players of the next game: a list as for --seats, or NULL for the defaults. */
Status play_set_seats(Cli *cli, const char *names);
const char *play_usual_seats(Cli *cli);

#endif
