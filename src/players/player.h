/* Who picks a move at a seat. A person is a player too, one that the user interface has to ask. */
#ifndef MALPAN_PLAYERS_PLAYER_H
#define MALPAN_PLAYERS_PLAYER_H

#include "base/random.h"
#include "game/solver.h"

typedef struct Player Player;

typedef struct PlayerKind {
    const char *name;
    Phrase about;
    /* NULL for a person. The variant must outlive the player, and so must the solver, which players
     * of one game share: whoever needs it first opens it (it is NULL until then). */
    Status (*open)(const Variant *variant, const SolveLimits *limits, Solver **shared,
                   Player **player);
} PlayerKind;

struct Player {
    /* Picks a legal move at a state where the player is to choose. */
    Status (*choose)(Player *player, const State *state, Random *random, Move *move);
    void (*free)(Player *player);
};

size_t player_kind_count(void);
const PlayerKind *player_kind_at(size_t index);

/* The kind of that name, or an error that suggests the nearest one. */
Status player_kind_find(const char *name, const PlayerKind **kind);

/* The kinds, for the list in player.c: each opens a player as PlayerKind.open says. */
Status player_random_open(const Variant *variant, const SolveLimits *limits, Solver **shared,
                          Player **player);
Status player_greedy_open(const Variant *variant, const SolveLimits *limits, Solver **shared,
                          Player **player);
Status player_expectimax_open(const Variant *variant, const SolveLimits *limits, Solver **shared,
                              Player **player);
Status player_perfect_open(const Variant *variant, const SolveLimits *limits, Solver **shared,
                           Player **player);

#endif
