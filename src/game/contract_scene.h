/* Shared by the files of the contract checker: the state under test, and how a failure is reported.
 */
#ifndef MALPAN_GAME_CONTRACT_SCENE_H
#define MALPAN_GAME_CONTRACT_SCENE_H

#include <string.h>

#include "game/variant.h"

enum { CONTRACT_FOREIGN_MOVES = 16 };

typedef struct ContractScene {
    const Variant *variant;
    const Game *game;
    const Rules *rules;
    State state;
    Random random;
    char foreign[CONTRACT_FOREIGN_MOVES][GAME_TEXT_BYTES]; /* texts of moves at other states */
    size_t foreign_count;
} ContractScene;

/* The failure for a broken promise: names the game, the promise and the state. */
Status contract_broken(const ContractScene *scene, const char *promise);

static inline bool contract_same_state(const State *a, const State *b) {
    return memcmp(a, b, sizeof *a) == 0;
}

/* Checks the optional parts that make promises about a state. */
Status contract_check_parts(const ContractScene *scene);

/* Checks the optional parts that make promises about a variant as a whole. */
Status contract_check_fixed_parts(const Variant *variant);

#endif
