/* Players: who picks the move at a seat. A person is a player too, whom the user interface asks.
 *
 * Thread safety: a computer player belongs to one thread at a time, and so does the solver it
 * shares with others. Kinds and seats are constant data.
 */
#ifndef MALPAN_PLAYERS_PLAYER_H
#define MALPAN_PLAYERS_PLAYER_H

#include "base/random.h"
#include "game/solver.h"

typedef struct Player Player;

enum { PLAYER_SETTING_BYTES = 24 };

typedef struct PlayerKind {
    const char *name;
    const char *setting; /* for the help: what may follow `name:`; NULL: nothing */
    /* Settings that move within a second or two, from weak to strong, ending with NULL; or NULL.
     * The moves of the first do not depend on time. */
    const char *const *levels;
    bool uses_solver;    /* plays by the shared solver of exact values */
    bool may_use_solver; /* does so where the variant has exact values */
    bool is_instant;     /* opens and moves in microseconds, whatever the game */
    Phrase about;
    /* Whether the setting is valid. NULL if the kind has no settings. */
    Status (*check)(const char *setting);
    /* Whether it can play these rules, without doing any work; seat_open asks first. NULL: it can
     * play all of them, or that only shows when it is opened. */
    Status (*supports)(const Variant *variant);
    /* Opens a player; NULL for a person. The variant must outlive the player. So must the solver,
     * which the players of a game share: the first that needs one opens it (*shared is NULL until
     * then), and the caller frees it after the players. `setting` is "" for the default. */
    Status (*open)(const Variant *variant, const SolveLimits *limits, const char *setting,
                   Solver **shared, Player **player);
} PlayerKind;

/* A kind of player and its setting: `random`, `alphabeta:1s`. */
typedef struct Seat {
    const PlayerKind *kind;
    char setting[PLAYER_SETTING_BYTES];
} Seat;

struct Player {
    /* Picks a legal move at a state where a player chooses. */
    Status (*choose)(Player *player, const State *state, Random *random, Move *move);
    /* NULL, or describes in words how it made its last choice. */
    void (*describe)(const Player *player, Text *text);
    void (*free)(Player *player);
};

size_t player_kind_count(void);
const PlayerKind *player_kind_at(size_t index);

/* Parses a name and its setting. An unknown name gets a suggestion. */
Status seat_parse(const char *text, Seat *seat);
void seat_print(const Seat *seat, Text *text);

/* Opens the computer player of a seat, as PlayerKind.open; not for a person. */
Status seat_open(const Seat *seat, const Variant *variant, const SolveLimits *limits,
                 Solver **shared, Player **player);

/* The functions of each kind, for the list in player.c. */
Status player_random_open(const Variant *variant, const SolveLimits *limits, const char *setting,
                          Solver **shared, Player **player);
Status player_greedy_supports(const Variant *variant);
Status player_greedy_open(const Variant *variant, const SolveLimits *limits, const char *setting,
                          Solver **shared, Player **player);
Status player_expectimax_check(const char *setting);
Status player_expectimax_supports(const Variant *variant);
Status player_expectimax_open(const Variant *variant, const SolveLimits *limits,
                              const char *setting, Solver **shared, Player **player);
Status player_perfect_open(const Variant *variant, const SolveLimits *limits, const char *setting,
                           Solver **shared, Player **player);
Status player_easy_open(const Variant *variant, const SolveLimits *limits, const char *setting,
                        Solver **shared, Player **player);
Status player_normal_open(const Variant *variant, const SolveLimits *limits, const char *setting,
                          Solver **shared, Player **player);
Status player_strong_open(const Variant *variant, const SolveLimits *limits, const char *setting,
                          Solver **shared, Player **player);
Status player_best_open(const Variant *variant, const SolveLimits *limits, const char *setting,
                        Solver **shared, Player **player);
Status player_minimax_check(const char *setting);
Status player_minimax_supports(const Variant *variant);
Status player_minimax_open(const Variant *variant, const SolveLimits *limits, const char *setting,
                           Solver **shared, Player **player);
Status player_alphabeta_check(const char *setting);
Status player_alphabeta_supports(const Variant *variant);
Status player_alphabeta_open(const Variant *variant, const SolveLimits *limits, const char *setting,
                             Solver **shared, Player **player);

#endif
