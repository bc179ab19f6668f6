/* Who picks a move at a seat. A person is a player too, one that the user interface has to ask. */
#ifndef MALPAN_PLAYERS_PLAYER_H
#define MALPAN_PLAYERS_PLAYER_H

#include "base/random.h"
#include "game/solver.h"

typedef struct Player Player;

enum { PLAYER_SETTING_BYTES = 24 };

typedef struct PlayerKind {
    const char *name;
    const char *setting; /* what may follow the name and a colon, for the help; NULL: nothing */
    /* Settings that move within a second or two, from weak to strong, ending with NULL; or NULL. */
    const char *const *levels;
    Phrase about;
    /* Whether `setting` can be. NULL where there are none. */
    Status (*check)(const char *setting);
    /* Whether it can play these rules, without doing any work; seat_open asks first. NULL: it can
     * play all of them, or that only shows when it is opened. */
    Status (*supports)(const Variant *variant);
    bool needs_exact_values; /* plays only where store_can_solve (values/store.h) says so */
    /* NULL for a person. The variant must outlive the player, and so must the solver, which players
     * of one game share: whoever needs it first opens it (it is NULL until then). `setting` is ""
     * for the usual one. */
    Status (*open)(const Variant *variant, const SolveLimits *limits, const char *setting,
                   Solver **shared, Player **player);
} PlayerKind;

/* Who is to sit at a seat: `random`, or with a setting `alphabeta:1s`. */
typedef struct Seat {
    const PlayerKind *kind;
    char setting[PLAYER_SETTING_BYTES];
} Seat;

struct Player {
    /* Picks a legal move at a state where the player is to choose. */
    Status (*choose)(Player *player, const State *state, Random *random, Move *move);
    /* NULL, or tells in words what it thought when it chose last. */
    void (*tell)(const Player *player, Text *text);
    void (*free)(Player *player);
};

size_t player_kind_count(void);
const PlayerKind *player_kind_at(size_t index);

/* Reads a name, and what follows its colon. An unknown one gets a suggestion. */
Status seat_parse(const char *text, Seat *seat);
void seat_print(const Seat *seat, Text *text);

/* Seats the computer player; not for a person. */
Status seat_open(const Seat *seat, const Variant *variant, const SolveLimits *limits,
                 Solver **shared, Player **player);

/* The kinds, for the list in player.c: each opens a player as PlayerKind.open says. */
Status player_random_open(const Variant *variant, const SolveLimits *limits, const char *setting,
                          Solver **shared, Player **player);
Status player_greedy_supports(const Variant *variant);
Status player_greedy_open(const Variant *variant, const SolveLimits *limits, const char *setting,
                          Solver **shared, Player **player);
Status player_expectimax_supports(const Variant *variant);
Status player_expectimax_open(const Variant *variant, const SolveLimits *limits,
                              const char *setting, Solver **shared, Player **player);
Status player_perfect_open(const Variant *variant, const SolveLimits *limits, const char *setting,
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
