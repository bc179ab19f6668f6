/* The one interface every game stands behind.
 *
 * A `Game` is a constant table of functions. What varies within a game (sizes, house rules) is a
 * `Rules` value that every function takes first, so that many variants live side by side in one
 * process. A `State` is a small value: copied freely, compared byte for byte (unused bytes are
 * zero), never on the heap. A state is a node of the game tree:
 *
 *     actor() >= 0            that player chooses one of moves()
 *     actor() == GAME_CHANCE  one of chances() happens, weights over a common denominator
 *     actor() == GAME_END     payoff() says what each player got
 *
 * Moves and chance events are small integers that only mean something at their state; text for
 * people goes through print_move and parse_move. All functions are pure: no shared state, any
 * thread may call them. src/game/contract.h checks that a game keeps these promises.
 */
#ifndef MALPAN_GAME_GAME_H
#define MALPAN_GAME_GAME_H

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/options.h"
#include "base/phrase.h"
#include "base/random.h"
#include "base/status.h"
#include "base/text.h"

enum {
    GAME_RULES_BYTES = 64,
    GAME_STATE_BYTES = 64,
    GAME_MOVES_MAX = 4096, /* moves at one state */
    GAME_CHANCES_MAX = 64, /* chance events at one state */
    GAME_ENDINGS_MAX = 8,  /* ways in which games end */
    GAME_PLAYERS_MAX = 8,
    GAME_TEXT_BYTES = 256,        /* room for the text of a state, a move or a rule set */
    GAME_DRAW_BYTES = 8192,       /* room for a drawn board */
    GAME_COMMAND_BYTES = 1 << 16, /* room for what a command of a game's own prints */
    GAME_CHANCE = -1,
    GAME_END = -2
};

typedef struct Rules {
    alignas(8) unsigned char bytes[GAME_RULES_BYTES];
} Rules;

typedef struct State {
    alignas(8) unsigned char bytes[GAME_STATE_BYTES];
} State;

typedef struct Solver Solver;
typedef struct SolveLimits SolveLimits;
typedef struct GameStored GameStored;
typedef struct Search Search;

typedef uint32_t Move;

typedef struct Chance {
    Move move;
    uint64_t weight;
} Chance;

/* What the numbers of payoff() mean. */
typedef struct ValueInfo {
    Phrase name; /* "chance of winning" */
    bool lower_is_better;
    bool is_counted; /* points: what is a whole number is told as one */
    /* NULL: a value is told as a number. Else how an exact one is told, such as `win 9`. */
    void (*print)(double value, Text *text);
    /* NULL: a move is worth what it leads to. Else what it is worth, where time counts. */
    double (*of_move)(double value);
} ValueInfo;

typedef struct DrawStyle {
    bool color;
    bool ascii;
    Lang lang;
    int columns; /* the width to stay within, where the board allows */
} DrawStyle;

/* A position worth showing, with the rules it is of. The first of a game is its start under the
 * default rules. */
typedef struct GameExample {
    Phrase what;
    const char *options; /* rule options as typed: "--players 1 --one-die never" */
    const char *position;
} GameExample;

/* A speed the game promises. Both functions do the same work, `run` as the program does it and
 * `baseline` in the plainest way; they return a checksum of the results, so that the work is
 * really done and can be compared. NAN: it cannot be done here. */
typedef struct GameBench {
    const char *what;
    const char *limit;   /* what bounds it: bytes touched, cache, latency */
    double goal_seconds; /* the promise */
    double goal_mb;      /* the same for memory; 0: none */
    double tolerance;    /* how far apart the results may be, as a part of them; 0: 1e-9 */
    bool is_slow;        /* takes minutes: only on demand */
    const char *needs;   /* what has to be there; NULL: nothing */
    double (*run)(const SolveLimits *limits);
    double (*baseline)(const SolveLimits *limits); /* NULL: nothing plain ends in time */
} GameBench;

/* What a command of a game's own is given. */
typedef struct GameCall {
    const CommandLine *line;
    const char *const *words; /* those after the command */
    Rules rules;              /* the usual ones, or where it takes rule options, those given */
    const SolveLimits *limits;
    uint64_t seed; /* 1 unless another is given */
    bool json;     /* JSON is wanted */
} GameCall;

/* A command of the game's own, `malpan GAME COMMAND ...`, for what no generic verb can say. */
typedef struct GameCommand {
    const char *name;
    const char *arguments;
    const char *summary;
    const char *const *examples; /* what follows `malpan `; ends with NULL */
    const OptionSpec *options;
    size_t option_count;
    size_t word_count; /* how many words it takes */
    bool takes_rules;  /* the game's rule options count */
    bool takes_json;
    Status (*run)(const GameCall *call, Text *output);
} GameCommand;

/* How many ways there are to put the pieces on the board, with and without regard to the rules. */
typedef struct GameCensus {
    uint64_t (*placements)(const Rules *rules);
    /* Draws a placement, each as likely: whether the rules allow it. */
    bool (*draw)(const Rules *rules, Random *random);
    uint64_t (*legal)(const Rules *rules);   /* exactly: those the rules allow */
    uint64_t (*goes_on)(const Rules *rules); /* and in which the game is not over */
} GameCensus;

/* Where chance brings the same whatever players do: everything that it may bring in a game, and
 * what best play makes of it. One such sequence is an input. */
typedef struct GameInputs {
    uint64_t (*count)(const Rules *rules);
    void (*print)(const Rules *rules, uint64_t index, Text *text); /* the input of that number */
    /* The payoff of each, in their order. The caller frees them. */
    Status (*scores)(const Rules *rules, int16_t **scores);
} GameInputs;

typedef struct Game {
    const char *name;
    Phrase title;
    Phrase about;               /* one line */
    const char *position_shape; /* the fields of a position: "OPEN PLAYER SCORES ROLL" */
    const OptionSpec *options;  /* the rule options */
    size_t option_count;
    const GameExample *examples;
    size_t example_count;
    const GameBench *benches; /* may be none */
    size_t bench_count;
    const GameCommand *commands; /* may be none */
    size_t command_count;
    bool has_cycles;       /* a position may come back: no backward induction */
    bool has_no_chance;    /* every state is a player's or an end */
    bool ends_are_refused; /* nobody asks for the value of an ended game: it is a mistake */

    /* Rules: the defaults, then one option at a time, then a check of the whole. */
    Rules (*rules_default)(void);
    Status (*rules_set)(Rules *rules, const char *option, const char *value);
    Status (*rules_check)(const Rules *rules);
    /* "" for a shorthand, and for a switch that is off. */
    void (*rules_get)(const Rules *rules, const char *option, Text *value);
    /* Optional: sets what a position itself tells of the rules, such as the number of pieces. */
    void (*rules_fit)(Rules *rules, const char *position);
    int (*player_count)(const Rules *rules);
    ValueInfo (*value_info)(const Rules *rules);

    /* Walking the tree. `turn` is the player a chance node is for, and at the end the player who
     * acted last. `moves` lists in the order of preference among equally good moves. */
    State (*start)(const Rules *rules);
    int (*actor)(const Rules *rules, const State *state);
    int (*turn)(const Rules *rules, const State *state);
    size_t (*moves)(const Rules *rules, const State *state, Move moves[]);
    size_t (*chances)(const Rules *rules, const State *state, Chance chances[],
                      uint64_t *denominator);
    void (*apply)(const Rules *rules, State *state, Move move);
    void (*payoff)(const Rules *rules, const State *state, double payoffs[]);
    Status (*check)(const Rules *rules, const State *state);

    /* Text. What print writes, parse reads back. */
    Status (*parse_state)(const Rules *rules, const char *text, State *state);
    void (*print_state)(const Rules *rules, const State *state, Text *text);
    Status (*parse_move)(const Rules *rules, const State *state, const char *text, Move *move);
    void (*print_move)(const Rules *rules, const State *state, Move move, Text *text);
    void (*draw)(const Rules *rules, const State *state, DrawStyle style, Text *text);
    /* A sentence: what `move` (or a chance event) at `before` did; and how an ended game ended. */
    void (*narrate)(const Rules *rules, const State *before, Move move, Lang lang, Text *text);
    void (*narrate_end)(const Rules *rules, const State *end, Lang lang, Text *text);
    /* Optional: the last of `count` moves that follow each other from `first`, in words that may
     * tell what only those before it show, such as which piece it is. */
    void (*narrate_line)(const Rules *rules, const State *first, const Move moves[], size_t count,
                         Lang lang, Text *text);

    /* Optional: the squares that a piece passes by a move, or by a chance event that moves one,
     * from where it stands to where it stops: their names with spaces between. */
    void (*trace)(const Rules *rules, const State *before, Move move, Text *text);

    /* Optional: wipes what has no bearing on what may follow, such as a move number, so that states
     * that come back can be told. */
    void (*strip)(const Rules *rules, State *state);

    /* Optional: in which of the ways an ended game ended. */
    const Phrase *endings;
    size_t ending_count;
    size_t (*ending)(const Rules *rules, const State *state);

    /* Optional: a numbering of the states from 0 to index_count() - 1. A count of 0 says that these
     * rules have none. unindex is false for a number that no legal state has. */
    uint64_t (*index_count)(const Rules *rules);
    uint64_t (*index)(const Rules *rules, const State *state);
    bool (*unindex)(const Rules *rules, uint64_t index, State *state);

    /* Optional: a guess at what a state is worth to each player, to look ahead with where nothing
     * is solved. At the end it is the payoff. */
    void (*estimate)(const Rules *rules, const State *state, double values[]);

    /* Optional: what a move looks like to the player who makes it, by a rule of thumb; 0 for one
     * that is neither good nor bad. */
    double (*judge)(const Rules *rules, const State *state, Move move);

    /* Optional: one of moves() and how many there are, the very one that random_below would pick
     * from the list, without making the list. */
    size_t (*pick)(const Rules *rules, const State *state, Random *random, Move *move);

    /* Optional: counting move paths faster than over this interface. */
    uint64_t (*perft)(const Rules *rules, const State *state, int depth);

    /* Optional: how many positions there are. */
    const GameCensus *census;

    /* Optional: all that chance may bring. */
    const GameInputs *inputs;

    /* Optional: a search; see search.h. */
    Status (*search_new)(const Rules *rules, const SolveLimits *limits, Search **search);

    /* Optional: a solver of the game's own, faster than induction over this interface. Where it
     * does not handle all rules, solver_check says so without doing the work. */
    Status (*solver_check)(const Rules *rules);
    Status (*solver_new)(const Rules *rules, const SolveLimits *limits, Solver **solver);

    /* Optional: solving a variant whole and storing it; see stored.h. */
    const GameStored *stored;
} Game;

/* A game with its rules: what generic code passes around. */
typedef struct Variant {
    const Game *game;
    Rules rules;
} Variant;

/* The game under its default rules. */
Variant variant_default(const Game *game);

/* The game under rule options as typed, "--tiles 12 --players 1"; NULL or "" for the defaults. */
Status variant_parse(const Game *game, const char *options, Variant *variant);

/* All rule options with their values, as variant_parse reads them. */
void variant_print(const Variant *variant, Text *text);

/* The value of a rule option, where it is not the usual one. False where it is, and for an option
 * that is a shorthand for others. */
bool variant_is_unusual(const Variant *variant, const char *option, char value[GAME_TEXT_BYTES]);

/* The moves at a state, or the chance events; none when the game is over. Returns how many. */
size_t variant_steps(const Variant *variant, const State *state, Move steps[]);

/* A game without chance goes on for ever when it has come to a position so often; fewer, and a
 * random player draws by walking in circles. */
enum { GAME_REPEATS_MAX = 5 };

/* Whether the last of these states has come up that often, what has no bearing on the future left
 * aside. Never in a game with chance. */
bool variant_goes_round(const Variant *variant, const State states[], size_t count);

/* Whether `move` is among the legal moves, or the possible chance events, of the state. */
bool variant_allows(const Variant *variant, const State *state, Move move);

/* Applies a move or a chance event if it is allowed; otherwise says so and leaves the state. */
Status variant_play(const Variant *variant, State *state, Move move);

#endif
