/* malpan: five board games and what every move in them is worth, as a library.
 *
 *     MalpanError error;
 *     MalpanGame *game = malpan_open("box", "--players 2", NULL, &error);
 *     MalpanSolver *solver = NULL;
 *     MalpanPosition position;
 *     MalpanValue value;
 *     if (game && !malpan_solver_open(game, MALPAN_POLICY_PROOF, NULL, &solver, &error) &&
 *         !malpan_parse(game, "13456789 1 17 12", &position, &error) &&
 *         !malpan_value(solver, &position, &value, &error))
 *         printf("%f\n", value.values[value.player]);
 *     malpan_solver_close(&solver);
 *     malpan_close(&game);
 *
 * Link with `pkg-config --cflags --libs malpan`; for the archive, with `-lmalpan -lzstd -lxxhash
 * -lpthread -lm`. The header is C99 and C++11.
 *
 * Objects
 *
 *     MalpanGame       a game under one set of rules. It does not change once it is open.
 *     MalpanPosition   a value of 72 bytes without pointers: copy it by assignment, keep it in
 *                      arrays, and in files for the same version of the library. It knows the
 *                      rules it belongs to, and whether a bit of it has changed.
 *     MalpanMove       a number that means a move, or a chance event, at one position.
 *     MalpanSolver     answers what positions are worth.
 *     MalpanPlayer     a computer player.
 *     MalpanRecord     a game that was played, step by step; MalpanReview says how well.
 *     MalpanStop       asks long work to stop.
 *
 * Solvers, players, records and reviews do not need the MalpanGame they were opened with: it may be
 * closed before them.
 *
 * Errors. Functions that can fail return MALPAN_OK or another code, and the last parameter, if not
 * NULL, receives the code and one line of text that says what is wrong and where. On failure the
 * other results are left alone, unless the function says otherwise. A function that receives NULL
 * where it needs an object, or a position that belongs to other rules, is damaged or was never set,
 * fails with MALPAN_USAGE (or returns the value documented for that case). Closing an object sets
 * the caller's handle to NULL, so using a closed handle is such an error and not a crash; closing
 * NULL is allowed.
 *
 * Texts. Functions that write a text work like snprintf: at most `capacity` bytes are written,
 * including the zero at the end, and the length of the whole text is returned, so a result of
 * `capacity` or more means that the text was cut. With capacity 0 the buffer may be NULL.
 *
 * Lists work the same way: at most `capacity` items are written, and the number of all is returned.
 *
 * Threads. "Any thread" means that any number of threads may call the function at once, with the
 * same game and the same positions. "One thread per solver" means that a solver is used by one
 * thread at a time (and likewise for other objects); different solvers may be used at once. An
 * object is closed when no thread uses it any more. No
 * function prints, reads a terminal or the environment, exits, or keeps state outside the objects
 * above; files are only used in the folder of tables.
 */
#ifndef MALPAN_H
#define MALPAN_H

#include <stddef.h>
#include <stdint.h>

#define MALPAN_VERSION_MAJOR 1
#define MALPAN_VERSION_MINOR 0
#define MALPAN_VERSION_PATCH 0
#define MALPAN_VERSION "1.0.0"
/* To compare: #if MALPAN_VERSION_NUMBER >= 10000 */
#define MALPAN_VERSION_NUMBER                                                                      \
    (10000 * MALPAN_VERSION_MAJOR + 100 * MALPAN_VERSION_MINOR + MALPAN_VERSION_PATCH)

#ifdef __GNUC__
#define MALPAN_API __attribute__((visibility("default")))
#else
#define MALPAN_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Codes. */
enum {
    MALPAN_OK = 0,
    MALPAN_FAILED = 1,      /* tried without success: out of memory, for example */
    MALPAN_USAGE = 2,       /* malformed text, an illegal move, a NULL, a position of other rules */
    MALPAN_UNSUPPORTED = 3, /* well formed, but not supported or beyond the memory limit */
    MALPAN_TABLE = 4,       /* a solved table is missing or damaged */
    MALPAN_STOPPED = 5      /* stopped on request */
};

enum {
    MALPAN_PLAYERS_MAX = 8,
    MALPAN_MOVES_MAX = 4096, /* moves at any position */
    MALPAN_CHANCES_MAX = 64, /* chance events at any position */
    MALPAN_TEXT_BYTES = 256, /* room for the text of any position, move or rule set */
    MALPAN_DRAW_BYTES = 8192 /* room for any drawn board or narrated move */
};

/* Languages. */
enum { MALPAN_EN = 0, MALPAN_KO = 1, MALPAN_LANG_COUNT = 2 };

/* Who acts at a position, if not a player, who is 0 or more. */
enum {
    MALPAN_CHANCE = -1, /* a chance event, such as a throw, comes next */
    MALPAN_END = -2,    /* the game is over */
    MALPAN_INVALID = -3 /* NULL, or not a position of this game */
};

typedef struct MalpanError {
    int code;
    char message[252]; /* one printable line; "" on success */
} MalpanError;

typedef struct MalpanGame MalpanGame;
typedef struct MalpanSolver MalpanSolver;
typedef struct MalpanPlayer MalpanPlayer;
typedef struct MalpanRecord MalpanRecord;
typedef struct MalpanReview MalpanReview;
typedef struct MalpanStop MalpanStop;

typedef struct MalpanPosition {
    uint64_t opaque[9];
} MalpanPosition;

typedef uint32_t MalpanMove;

/* --- the library --- */

/* The version of the library that runs, such as "1.2.3"; MALPAN_VERSION is that of the header. Any
 * thread. */
MALPAN_API const char *malpan_version(void);

/* The name of a code: "ok", "failed", "usage", ...; "unknown" for another number. Any thread. */
MALPAN_API const char *malpan_code_name(int code);

/* --- games, options and their descriptions --- */

/* Constant texts; in arrays, one per language. */
typedef struct MalpanGameInfo {
    const char *name; /* for malpan_open */
    const char *title[2];
    const char *about[2];       /* one line */
    const char *position_shape; /* the fields of a position: "OPEN PLAYER SCORES ROLL" */
    size_t option_count;
    size_t example_count;
} MalpanGameInfo;

typedef struct MalpanOptionInfo {
    const char *name;     /* "tiles" for --tiles */
    const char *argument; /* what follows it, such as "N"; NULL for a switch */
    const char *help[2];
    const char *choices; /* all possible values, separated by spaces; NULL: too many to list */
    int is_preset;       /* sets several other options */
} MalpanOptionInfo;

typedef struct MalpanExampleInfo {
    const char *what[2];
    const char *options; /* for malpan_open */
    const char *position;
} MalpanExampleInfo;

/* The name of game number `index`, from 0 up; NULL past the last. Any thread. */
MALPAN_API const char *malpan_game_name(size_t index);

/* Describes a game, an option of a game, or a position worth showing. MALPAN_USAGE if there is no
 * such game or number. Any thread. */
MALPAN_API int malpan_game_info(const char *name, MalpanGameInfo *info, MalpanError *error);
MALPAN_API int malpan_option_info(const char *name, size_t index, MalpanOptionInfo *info,
                                  MalpanError *error);
MALPAN_API int malpan_example_info(const char *name, size_t index, MalpanExampleInfo *info,
                                   MalpanError *error);

/* Opens a game under rule options as typed for the program, such as "--tiles 12 --players 1"; NULL
 * or "" for the default rules. What the text of `position` (may be NULL) implies, such as the
 * number of pieces, counts unless an option says otherwise: preset < position < other options.
 * Returns NULL on failure. The caller closes it. Any thread. */
MALPAN_API MalpanGame *malpan_open(const char *name, const char *options, const char *position,
                                   MalpanError *error);

/* Closes the game and sets *game to NULL. No other thread may be using it. */
MALPAN_API void malpan_close(MalpanGame **game);

/* The name of the game; "" for NULL. Any thread. */
MALPAN_API const char *malpan_name(const MalpanGame *game);

/* Writes all rule options with their values, in the form malpan_open reads. Any thread. */
MALPAN_API size_t malpan_rules(const MalpanGame *game, char *text, size_t capacity);

/* Writes the value of one option; "" for a preset, a switch that is off, and an unknown option. Any
 * thread. */
MALPAN_API size_t malpan_option(const MalpanGame *game, const char *option, char *text,
                                size_t capacity);

/* The number of players; 0 for NULL. Any thread. */
MALPAN_API int malpan_player_count(const MalpanGame *game);

/* Facts about the game under these rules. */
typedef struct MalpanTraits {
    int has_chance;            /* there are chance events */
    int has_cycles;            /* positions can repeat */
    int has_outcomes;          /* values are wins and losses in plies: see MalpanValue */
    int has_table;             /* malpan_solve can solve it */
    int lower_is_better;       /* players want low values */
    int is_counted;            /* values are points, not chances of winning */
    const char *value_name[2]; /* what a value is: "chance of winning" */
} MalpanTraits;

/* Describes the game under these rules. Any thread. */
MALPAN_API int malpan_traits(const MalpanGame *game, MalpanTraits *traits, MalpanError *error);

/* --- positions --- */

/* The position the game starts from. Any thread. */
MALPAN_API int malpan_start(const MalpanGame *game, MalpanPosition *position, MalpanError *error);

/* Reads a position from text, and writes one. What one writes, the other reads. Writing an invalid
 * position gives "". Any thread. */
MALPAN_API int malpan_parse(const MalpanGame *game, const char *text, MalpanPosition *position,
                            MalpanError *error);
MALPAN_API size_t malpan_print(const MalpanGame *game, const MalpanPosition *position, char *text,
                               size_t capacity);

/* Whether two positions are the same under the same rules: 1 or 0. Any thread. */
MALPAN_API int malpan_equals(const MalpanPosition *a, const MalpanPosition *b);

/* Less than, equal to or greater than 0: an order for sorting, without further meaning. NULL comes
 * first. Any thread. */
MALPAN_API int malpan_compare(const MalpanPosition *a, const MalpanPosition *b);

/* A hash of 64 bits; equal positions have equal ones, in this version of the library on this kind
 * of machine. 0 for NULL. Any thread. */
MALPAN_API uint64_t malpan_hash(const MalpanPosition *position);

/* Who acts: a player, MALPAN_CHANCE, MALPAN_END or MALPAN_INVALID. Any thread. */
MALPAN_API int malpan_actor(const MalpanGame *game, const MalpanPosition *position);

/* Whose turn it is: at a chance event, the player it belongs to; at the end, the player who acted
 * last; MALPAN_INVALID. Any thread. */
MALPAN_API int malpan_turn(const MalpanGame *game, const MalpanPosition *position);

/* Lists the legal moves, without values, in the game's own order; none unless a player acts.
 * Returns how many there are. Any thread. */
MALPAN_API size_t malpan_moves(const MalpanGame *game, const MalpanPosition *position,
                               MalpanMove moves[], size_t capacity);

/* All moves and chance events under these rules are below this number, and a number means the same
 * move at every position, so it can serve as the number of actions of a learner. 0 for NULL and for
 * a game that does not promise this. Any thread. */
MALPAN_API uint32_t malpan_move_bound(const MalpanGame *game);

typedef struct MalpanChance {
    MalpanMove move;
    uint32_t reserved;
    uint64_t weight; /* the probability is exactly weight / denominator */
} MalpanChance;

/* Lists the chance events; none unless chance acts. The weights add up to the denominator, which
 * may be NULL. Returns how many there are. Any thread. */
MALPAN_API size_t malpan_chances(const MalpanGame *game, const MalpanPosition *position,
                                 MalpanChance chances[], size_t capacity, uint64_t *denominator);

/* Applies a legal move or a possible chance event. Any thread, on positions of its own. */
MALPAN_API int malpan_apply(const MalpanGame *game, MalpanPosition *position, MalpanMove move,
                            MalpanError *error);

/* The same for a move that malpan_moves or malpan_chances has listed for this position. Much
 * faster, because that is not checked: another number leads to a position without meaning. Any
 * thread, on positions of its own. */
MALPAN_API int malpan_apply_listed(const MalpanGame *game, MalpanPosition *position,
                                   MalpanMove move);

/* Each player's result at the end of the game: malpan_player_count numbers. MALPAN_USAGE if it is
 * not over. Any thread. */
MALPAN_API int malpan_payoffs(const MalpanGame *game, const MalpanPosition *position,
                              double payoffs[], MalpanError *error);

/* --- texts of moves and boards --- */

/* Reads a move or chance event, in any language; `lang` is that of the error message. Any thread.
 */
MALPAN_API int malpan_parse_move(const MalpanGame *game, const MalpanPosition *position,
                                 const char *text, int lang, MalpanMove *move, MalpanError *error);

/* Writes a move or chance event of the position; "" for one that is neither. Any thread. */
MALPAN_API size_t malpan_print_move(const MalpanGame *game, const MalpanPosition *position,
                                    MalpanMove move, int lang, char *text, size_t capacity);

typedef struct MalpanStyle {
    int color;   /* with terminal colors */
    int ascii;   /* without box-drawing and other symbols */
    int numbers; /* label the squares, where the game numbers them */
    int lang;
    int columns; /* the width to stay within, if the board allows; 0: 80 */
} MalpanStyle;

/* Draws the board: several lines, each with a line feed. `style` may be NULL. Any thread. */
MALPAN_API size_t malpan_draw(const MalpanGame *game, const MalpanPosition *position,
                              const MalpanStyle *style, char *text, size_t capacity);

/* Says in one sentence what a move or chance event does at a position; or how the game ended there.
 * "" where that does not apply. Any thread. */
MALPAN_API size_t malpan_narrate(const MalpanGame *game, const MalpanPosition *before,
                                 MalpanMove move, int lang, char *text, size_t capacity);
MALPAN_API size_t malpan_narrate_end(const MalpanGame *game, const MalpanPosition *end, int lang,
                                     char *text, size_t capacity);

/* --- random numbers --- */

/* A generator is a value: a copy gives the same numbers. It belongs to one thread at a time. */
typedef struct MalpanRandom {
    uint64_t words[4];
} MalpanRandom;

/* The generator of a seed and a stream: the same numbers on every machine and in every version. The
 * streams of one seed are independent. One thread per generator. */
MALPAN_API void malpan_random_seed(MalpanRandom *random, uint64_t seed, uint64_t stream);

/* The next 64 bits; and a number from 0 to bound - 1, all equally likely (0 if bound is 0). One
 * thread per generator. */
MALPAN_API uint64_t malpan_random_next(MalpanRandom *random);
MALPAN_API uint64_t malpan_random_below(MalpanRandom *random, uint64_t bound);

/* Draws one of the chance events at a position, according to the weights. MALPAN_USAGE if chance
 * does not act there. One thread per generator. */
MALPAN_API int malpan_draw_chance(const MalpanGame *game, const MalpanPosition *position,
                                  MalpanRandom *random, MalpanMove *event, MalpanError *error);

/* --- limits, progress, cancellation --- */

/* How far long work is. */
typedef struct MalpanProgress {
    const char *what; /* a few words; valid during the call */
    double elapsed_s;
    double fraction; /* 0 to 1; -1: unknown */
    double left_s;   /* seconds left, estimated; -1: unknown */
    uint64_t done;   /* units of work; 0 in work that repeats sweeps until values converge */
    uint64_t total;  /* 0: unknown */
    int sweep;       /* the number of the sweep; 0: there are none */
    double change;   /* the largest change in the last sweep */
} MalpanProgress;

/* Called at most ten times a second, by one thread at a time, which may be a thread of the library.
 * It must not use the objects that are at work, except that it may request a stop. */
typedef void MalpanProgressFunction(void *context, const MalpanProgress *progress);

/* Set to 0 what is not of interest: {0} or {} are the defaults. */
typedef struct MalpanLimits {
    size_t memory_bytes; /* work that needs more is refused; 0: 1 GiB */
    int threads;         /* 0: 1 */
    double seconds;      /* time for one value by a search that could go on forever; 0: 5 s */
    /* The folder of solved tables, which need not exist. Tables made by malpan_solve or `malpan
     * solve` are used, and small variants that are solved on the way leave theirs. NULL: none. */
    const char *tables;
    MalpanStop *stop; /* must outlive what it is passed to; NULL: never */
    MalpanProgressFunction *progress;
    void *context; /* passed to `progress` */
} MalpanLimits;

/* A request to stop, initially not made. NULL if out of memory. The caller closes it after
 * everything it was passed to. Any thread. */
MALPAN_API MalpanStop *malpan_stop_open(void);
MALPAN_API void malpan_stop_close(MalpanStop **stop);

/* Makes or withdraws the request. Work under way then ends soon with MALPAN_STOPPED; a search ends
 * with what it has found. Any thread, also while others work; a signal handler, too. */
MALPAN_API void malpan_stop_request(MalpanStop *stop);
MALPAN_API void malpan_stop_clear(MalpanStop *stop);
MALPAN_API int malpan_stop_requested(const MalpanStop *stop);

/* --- values --- */

/* Who may answer what a position is worth. Where more is allowed, better answers still come first.
 */
enum {
    MALPAN_POLICY_EXACT = 0, /* a table; otherwise the variant is solved now, if it is small */
    MALPAN_POLICY_PROOF = 1, /* also a search, whose proven values are exact */
    MALPAN_POLICY_ANY = 2    /* also an estimate */
};

/* What a value is. */
enum {
    MALPAN_EXACT = 0,       /* from a table or solved now, to within a proven error */
    MALPAN_PROVEN = 1,      /* exact, by the proof of a search */
    MALPAN_EQUILIBRIUM = 2, /* of three or more sides: the equations of best play hold to within
                               `error`, but other equilibria may exist */
    MALPAN_ESTIMATE = 3     /* nothing is proven about how far it is from the truth */
};

enum { MALPAN_NO_OUTCOME = 0, MALPAN_WIN = 1, MALPAN_LOSS = 2, MALPAN_ENDLESS = 3 };

/* What a position is worth to each player if all play perfectly:
 *
 *     Yut, the race, Shut the Box   the probability of winning, 0 to 1 (Shut the Box for one
 *                                   player: what --aim says)
 *     Dice Yut                      the expected score
 *     King's Valley                 a win in n plies is 1 - n/10000, a loss in n plies is
 *                                   n/10000, and play that never ends is 0.5. So a sooner win is
 *                                   worth more, and a later loss is worth more.
 */
typedef struct MalpanValue {
    double values[8]; /* to each player; 0 beyond the last */
    double error;     /* no value is further from the truth; of an equilibrium the largest residual;
                         infinite for an estimate */
    int kind;         /* MALPAN_EXACT, MALPAN_PROVEN, MALPAN_EQUILIBRIUM or MALPAN_ESTIMATE */
    int player;       /* whose turn it is */
    int outcome;      /* for that player, where values are outcomes and known: MALPAN_WIN, ... */
    int plies;        /* until the end, for a win or a loss */
    double typical_error; /* how far such estimates are off on average, as measured; NaN if that is
                             unknown, and where the value is no estimate */
    double reserved[3];
} MalpanValue;

typedef struct MalpanMoveValue {
    MalpanMove move;
    int kind; /* MALPAN_ESTIMATE, or the kind of the position's value */
    double
        value; /* to the player who moves; where values are outcomes, the ply of the move counts */
} MalpanMoveValue;

/* Opens a solver, which may take long: `limits` (may be NULL) apply to this and to everything the
 * solver does. MALPAN_TABLE if only a table would do and there is none, or it is damaged;
 * MALPAN_UNSUPPORTED if there are no values of the kind asked for, or not within the memory limit;
 * MALPAN_STOPPED on request. On failure *solver becomes NULL. The caller closes it. Any thread. */
MALPAN_API int malpan_solver_open(const MalpanGame *game, int policy, const MalpanLimits *limits,
                                  MalpanSolver **solver, MalpanError *error);
MALPAN_API void malpan_solver_close(MalpanSolver **solver);

/* How the solver finds values, in a few words; "" for NULL. Any thread. */
MALPAN_API const char *malpan_solver_method(const MalpanSolver *solver);

/* The value of a position. At the end of the game it is the payoff. One thread per solver. */
MALPAN_API int malpan_value(MalpanSolver *solver, const MalpanPosition *position,
                            MalpanValue *value, MalpanError *error);

/* The value of a position and of every legal move, best first; equally good ones in the game's own
 * order. `count` becomes the number of moves, 0 unless a player acts; up to `capacity` are written.
 * Under MALPAN_POLICY_PROOF it fails with MALPAN_TABLE unless every move has a proof. One thread
 * per solver. */
MALPAN_API int malpan_evaluate(MalpanSolver *solver, const MalpanPosition *position,
                               MalpanValue *value, MalpanMoveValue moves[], size_t capacity,
                               size_t *count, MalpanError *error);

/* A line of best play from a position: to the next chance event, the end of the game, the first
 * repetition, an estimate (which has one move), or `capacity`. `count` becomes its length. One
 * thread per solver. */
MALPAN_API int malpan_best_line(MalpanSolver *solver, const MalpanPosition *position,
                                MalpanMove line[], size_t capacity, size_t *count,
                                MalpanError *error);

/* The exact value to the player whose turn it is, as a fraction. MALPAN_UNSUPPORTED where the
 * solver does not compute in fractions. One thread per solver. */
MALPAN_API int malpan_fraction(MalpanSolver *solver, const MalpanPosition *position,
                               uint64_t *numerator, uint64_t *denominator, MalpanError *error);

/* Many values at once, on limits.threads threads: values[i] is that of positions[i] to the player
 * whose turn it is, and kinds[i] (`kinds` may be NULL) what it is. The result does not depend on
 * the number of threads, unless a search runs out of time or memory is short: threads divide it. If
 * a position fails, so does the call, with the first such position in the message, and the values
 * are undefined. One thread per solver. */
MALPAN_API int malpan_values(MalpanSolver *solver, const MalpanPosition positions[], size_t count,
                             double values[], unsigned char kinds[], MalpanError *error);

/* A quick estimate of each player's value, by a static evaluation, without any lookahead.
 * MALPAN_UNSUPPORTED for a game that has none. Any thread. */
MALPAN_API int malpan_estimate(const MalpanGame *game, const MalpanPosition *position,
                               double values[], MalpanError *error);

/* Writes a value for people: "win 9", "0.502810", "17", or "~0.503" if `kind` is MALPAN_ESTIMATE.
 * Any thread. */
MALPAN_API size_t malpan_print_value(const MalpanGame *game, double value, int kind, int lang,
                                     char *text, size_t capacity);

/* --- computer players --- */

typedef struct MalpanPlayerInfo {
    const char *name;
    const char *setting; /* what may follow `name:`, such as "D or TIME"; NULL: nothing */
    const char *about[2];
} MalpanPlayerInfo;

/* Describes kind of player number `index`, from 0 up. MALPAN_USAGE past the last. Any thread. */
MALPAN_API int malpan_player_info(size_t index, MalpanPlayerInfo *info, MalpanError *error);

/* Opens a player by its name, with its level as the setting: "random", "perfect", "alphabeta:1s".
 * MALPAN_USAGE for an unknown one, MALPAN_UNSUPPORTED or MALPAN_TABLE for one that cannot play
 * under these rules. On failure *player becomes NULL. The caller closes it. Any thread. */
MALPAN_API int malpan_player_open(const MalpanGame *game, const char *name,
                                  const MalpanLimits *limits, MalpanPlayer **player,
                                  MalpanError *error);
MALPAN_API void malpan_player_close(MalpanPlayer **player);

/* Picks a legal move at a position where a player acts. One thread per player. */
MALPAN_API int malpan_player_choose(MalpanPlayer *player, const MalpanPosition *position,
                                    MalpanRandom *random, MalpanMove *move, MalpanError *error);

/* --- records and reviews --- */

/* Begins a record. `seats` names who plays, as in "you perfect"; NULL: people. `start` may be NULL
 * for the start of the game. On failure *record becomes NULL. The caller closes it. Any thread. */
MALPAN_API int malpan_record_open(const MalpanGame *game, const char *seats, uint64_t seed,
                                  const MalpanPosition *start, MalpanRecord **record,
                                  MalpanError *error);

/* Reads a record, as malpan_record_print and `malpan play --file` write it, and checks every step.
 * On failure *record becomes NULL. The caller closes it. Any thread. */
MALPAN_API int malpan_record_parse(const char *text, MalpanRecord **record, MalpanError *error);
MALPAN_API void malpan_record_close(MalpanRecord **record);

/* Writes the record. One thread per record. */
MALPAN_API size_t malpan_record_print(const MalpanRecord *record, char *text, size_t capacity);

/* The game that was played: a handle of its own, which the caller closes; NULL if out of memory.
 * One thread per record. */
MALPAN_API MalpanGame *malpan_record_game(const MalpanRecord *record);

/* How many steps (moves and chance events) there are. One thread per record. */
MALPAN_API size_t malpan_record_length(const MalpanRecord *record);

/* The position before step `index`, or after the last. One thread per record. */
MALPAN_API int malpan_record_position(const MalpanRecord *record, size_t index,
                                      MalpanPosition *position, MalpanError *error);

/* The move or chance event of step `index`. One thread per record. */
MALPAN_API int malpan_record_move(const MalpanRecord *record, size_t index, MalpanMove *move,
                                  MalpanError *error);

/* Appends a legal step; removes all steps after the first `length`. One thread per record. */
MALPAN_API int malpan_record_add(MalpanRecord *record, MalpanMove move, MalpanError *error);
MALPAN_API int malpan_record_cut(MalpanRecord *record, size_t length, MalpanError *error);

/* The generator for the next step: chance and computer players that use it act as in the program
 * under the same seed. One thread per record. */
MALPAN_API int malpan_record_random(const MalpanRecord *record, MalpanRandom *random,
                                    MalpanError *error);

/* What to say about a move. Where values are outcomes, a move that does not change the outcome is
 * at most slow; one that does is a mistake, or a blunder from a win to a loss. Otherwise the loss
 * decides: from 2, 5 and 10 percentage points, or 2, 6 and 15 points, it is small, a mistake and a
 * blunder. */
enum {
    MALPAN_NO_VERDICT = 0, /* on a chance event */
    MALPAN_BEST = 1,
    MALPAN_GOOD = 2,
    MALPAN_SLOW = 3,
    MALPAN_SMALL = 4, /* an inaccuracy */
    MALPAN_MISTAKE = 5,
    MALPAN_BLUNDER = 6
};

/* What one step was worth. */
typedef struct MalpanReviewStep {
    double values[8]; /* before the step, to each player */
    double loss;      /* of a move: how much worse than the best one, to its player */
    double luck;      /* of a chance event: the change in value to the player in turn */
    int player;       /* whose turn it was */
    int is_chance;
    int kind;        /* MALPAN_ESTIMATE if the values or the loss are estimates */
    MalpanMove best; /* of a move: the best one */
    int verdict;     /* MALPAN_BEST, ... */
    int reserved;
} MalpanReviewStep;

/* Where a player's result comes from: end - start = luck + skill + others. */
typedef struct MalpanReviewTotals {
    double start, end; /* values of the first and the last position */
    double luck;       /* by chance events in the player's own turns */
    double skill;      /* by the player's moves; at most 0 if values are exact */
    double others;     /* in the turns of others */
} MalpanReviewTotals;

/* Reviews a record of the game the solver was opened for. MALPAN_STOPPED if the solver's limits say
 * so. On failure *review becomes NULL. The caller closes it. One thread per record and solver. */
MALPAN_API int malpan_review_open(const MalpanRecord *record, MalpanSolver *solver,
                                  MalpanReview **review, MalpanError *error);
MALPAN_API void malpan_review_close(MalpanReview **review);

/* Step `index` of the record; what it comes to for a player. Any thread. */
MALPAN_API int malpan_review_step(const MalpanReview *review, size_t index, MalpanReviewStep *step,
                                  MalpanError *error);
MALPAN_API int malpan_review_totals(const MalpanReview *review, int player,
                                    MalpanReviewTotals *totals, MalpanError *error);

/* --- solving whole variants into tables --- */

/* What solving needs: upper bounds, and a time measured on two cores. */
typedef struct MalpanNeeds {
    uint64_t memory_bytes;
    uint64_t disk_bytes;
    double seconds;
    double error; /* the error bound that is reached by default; 0: values are exact */
} MalpanNeeds;

typedef struct MalpanTableInfo {
    uint64_t positions;
    uint64_t checksum; /* of the values; the same on every machine */
    double error;      /* no value is further from the truth */
    int existed;       /* malpan_solve: the table was there already */
    int is_proven;     /* malpan_verify: all equations were checked, and prove `error` */
    uint64_t checked;  /* malpan_verify: how many equations */
    double residual;   /* malpan_verify: the largest difference between the sides of one */
} MalpanTableInfo;

/* Writes the path of the variant's table in a folder; "" if it has none. Any thread. */
MALPAN_API size_t malpan_table_path(const MalpanGame *game, const char *folder, char *text,
                                    size_t capacity);

/* What solving needs. MALPAN_UNSUPPORTED if the variant has no table. Any thread. */
MALPAN_API int malpan_needs(const MalpanGame *game, const MalpanLimits *limits, MalpanNeeds *needs,
                            MalpanError *error);

/* Solves all positions of the variant and stores the values in limits->tables, unless a table that
 * is accurate enough exists. `error_bound` 0 means the default. When it is stopped or killed, it
 * leaves a checkpoint, and the next call resumes there. Any thread, but one call at a time for the
 * same folder and variant, also of other processes. */
MALPAN_API int malpan_solve(const MalpanGame *game, double error_bound, const MalpanLimits *limits,
                            MalpanTableInfo *info, MalpanError *error);

/* Checks the stored table of the variant: every checksum of the file, and the equations of `sample`
 * random positions, or of all if it is 0, which proves the error bound. MALPAN_TABLE if the table
 * is missing, damaged or does not keep its bound. Any thread. */
MALPAN_API int malpan_verify(const MalpanGame *game, uint64_t sample, uint64_t seed,
                             const MalpanLimits *limits, MalpanTableInfo *info, MalpanError *error);

#ifdef __cplusplus
}
#endif

#endif
