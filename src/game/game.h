/* The interface every game implements.
 *
 * A `Game` is a constant struct made of small structs. Four parts are required: identity, rules,
 * tree and text. Everything that only some games provide is an optional part: a pointer to a small
 * struct declared in its own header, NULL if absent. Generic code tests for the part, never for
 * the game.
 *
 * Variants of a game (board sizes, house rules) are `Rules` values, which every function takes
 * first, so any number of variants coexist in one process. A `State` is a small value without
 * pointers: it is copied freely and compared byte for byte (unused bytes are zero). A state is a
 * node of the game tree:
 *
 *     actor() >= 0            that player chooses one of moves()
 *     actor() == GAME_CHANCE  one of chances() happens; weights over a common denominator
 *     actor() == GAME_END     payoff() gives each player's result
 *
 * Moves and chance events are small integers that mean something only at their state.
 *
 * Thread safety: all functions are pure, so any thread may call any of them at any time.
 * game/contract.h checks that a game keeps these promises.
 */
#ifndef MALPAN_GAME_GAME_H
#define MALPAN_GAME_GAME_H

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/options.h"
#include "base/phrase.h"
#include "base/status.h"
#include "base/text.h"

enum {
    GAME_RULES_BYTES = 80,
    GAME_STATE_BYTES = 64,
    GAME_MOVES_MAX = 4096, /* moves at one state */
    GAME_CHANCES_MAX = 64, /* chance events at one state */
    GAME_PLAYERS_MAX = 8,
    GAME_TEXT_BYTES = 256,       /* buffer for the text of a state or a move */
    GAME_RULES_TEXT_BYTES = 384, /* buffer for the text of a rule set */
    GAME_DRAW_BYTES = 8192,      /* buffer for a drawn board */
    GAME_CHANCE = -1,
    GAME_END = -2
};

typedef struct Rules {
    alignas(8) unsigned char bytes[GAME_RULES_BYTES];
} Rules;

typedef struct State {
    alignas(8) unsigned char bytes[GAME_STATE_BYTES];
} State;

typedef uint32_t Move;

typedef struct Chance {
    Move move;
    uint64_t weight;
} Chance;

/* --- identity --- */

/* A position worth showing, with its rules. A game's first example is its start under the default
 * rules. */
typedef struct GameExample {
    Phrase what;
    const char *options; /* rule options as typed: "--players 1 --one-die never" */
    const char *position;
} GameExample;

typedef struct GameIdentity {
    const char *name; /* as typed on the command line */
    Phrase title;
    Phrase about; /* one line */
    const GameExample *examples;
    size_t example_count;
} GameIdentity;

/* --- rules --- */

/* What the numbers returned by payoff() mean. */
typedef struct ValueInfo {
    Phrase name; /* "chance of winning" */
    bool lower_is_better;
    bool is_counted; /* points: a whole number is printed without decimals */
} ValueInfo;

typedef struct GameRules {
    const OptionSpec *options;
    size_t option_count;
    Rules (*defaults)(void);
    /* Sets one option. Options may depend on each other, so check() judges the whole. */
    Status (*set)(Rules *rules, const char *option, const char *value);
    Status (*check)(const Rules *rules);
    /* Prints an option's value: "" for a shorthand such as a preset, and for a switch that is
     * off. */
    void (*get)(const Rules *rules, const char *option, Text *value);
    /* May be NULL. Sets the options that the text of a position implies, such as the number of
     * pieces. */
    void (*infer)(Rules *rules, const char *position);
    int (*player_count)(const Rules *rules);
    ValueInfo (*value_info)(const Rules *rules);
} GameRules;

/* --- tree --- */

typedef struct GameTree {
    bool has_cycles;       /* positions can repeat, so there is no backward induction */
    bool is_deterministic; /* no chance nodes */
    State (*start)(const Rules *rules);
    int (*actor)(const Rules *rules, const State *state);
    /* The player a chance node belongs to; at the end, the player who acted last. */
    int (*turn)(const Rules *rules, const State *state);
    /* Lists legal moves in the order of preference among equally good ones. */
    size_t (*moves)(const Rules *rules, const State *state, Move moves[]);
    size_t (*chances)(const Rules *rules, const State *state, Chance chances[],
                      uint64_t *denominator);
    void (*apply)(const Rules *rules, State *state, Move move);
    void (*payoff)(const Rules *rules, const State *state, double payoffs[]);
    /* Whether the state is legal under these rules. */
    Status (*check)(const Rules *rules, const State *state);
} GameTree;

/* --- text --- */

typedef struct DrawStyle {
    bool color;
    bool ascii;
    bool numbers; /* label the squares, where the game numbers them */
    Lang lang;
    int columns; /* the width to stay within, if the board allows */
} DrawStyle;

/* What print writes, parse reads back. A move may be written as print_move writes it in any
 * language; `lang` is the language of the error messages. */
typedef struct GameText {
    const char *position_shape; /* the fields of a position: "OPEN PLAYER SCORES ROLL" */
    Status (*parse_state)(const Rules *rules, const char *text, State *state);
    void (*print_state)(const Rules *rules, const State *state, Text *text);
    Status (*parse_move)(const Rules *rules, const State *state, const char *text, Lang lang,
                         Move *move);
    void (*print_move)(const Rules *rules, const State *state, Move move, Lang lang, Text *text);
    void (*draw)(const Rules *rules, const State *state, DrawStyle style, Text *text);
    /* One sentence: what `move` (or a chance event) did at `before`. */
    void (*narrate)(const Rules *rules, const State *before, Move move, Lang lang, Text *text);
    /* One sentence: how the game ended. */
    void (*narrate_end)(const Rules *rules, const State *end, Lang lang, Text *text);
} GameText;

/* --- the game --- */

typedef struct Game {
    GameIdentity identity;
    GameRules rules;
    GameTree tree;
    GameText text;

    /* Optional parts, NULL if absent. */
    const struct GameOutcomes *outcomes;     /* outcomes.h: values are wins and losses in plies */
    const struct GameEndings *endings;       /* endings.h: the kinds of endings, to count them */
    const struct GameRepetition *repetition; /* repetition.h: which states count as the same */
    const struct GamePaths *paths;           /* paths.h: the squares a piece passes */
    const struct GameCells *cells;           /* cells.h: the board in character cells */
    const struct GameMoveIds *move_ids;      /* move_ids.h: numbers of moves that never change */
    const struct GameLineText *line_text;    /* line_text.h: moves worded as part of a line */
    const struct GameEstimate *estimate;     /* estimate.h: a static evaluation */
    const struct GameMoveScore *move_score;  /* move_score.h: a heuristic score for a move */
    const struct GameSampler *sampler;       /* sampler.h: random moves without listing them */
    const struct GamePerft *perft;           /* perft.h: a fast path counter */
    const struct GameCensus *census;         /* census.h: how many positions there are */
    const struct GameInputs *inputs;         /* inputs.h: all chance sequences */
    const struct GameSearch *search;         /* search.h: a search of the game's own */
    const struct GameSolver *solver;         /* solver.h: a solver of the game's own */
    const struct GameStored *stored;         /* stored.h: solving into a table */
    const struct GameLearning *learning;     /* learning.h: learning the estimate's weights */
    const struct GameCommands *commands;     /* commands.h: `malpan GAME COMMAND` */
    const struct GameBenches *benches;       /* benches.h: promised speeds */
} Game;

#endif
