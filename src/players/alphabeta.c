/* The player that uses the game's own search, to a fixed depth or for a time per move. */
#include <stdlib.h>

#include "base/number.h"
#include "game/outcomes.h"
#include "players/player.h"
#include "values/search_solver.h"

typedef struct AlphabetaPlayer {
    Player base;
    const Variant *variant;
    Search *search;
    SearchBudget budget;
    State state;         /* where it chose last */
    SearchResult result; /* of that search */
} AlphabetaPlayer;

static Status choose_move(Player *base, const State *state, Random *random, Move *move) {
    (void)random;
    AlphabetaPlayer *mine = (AlphabetaPlayer *)base;
    mine->state = *state;
    mine->search->think(mine->search, state, &mine->budget, &mine->result);
    *move = mine->result.line[0];
    return status_ok();
}

static void describe_choice(const Player *base, Text *text) {
    const AlphabetaPlayer *mine = (const AlphabetaPlayer *)base;
    const Variant *variant = mine->variant;
    const GameOutcomes *outcomes = variant->game->outcomes;
    if (outcomes && mine->result.is_proven)
        outcome_print(outcomes->decode(mine->result.value), text);
    else
        text_addf(text, "%s%.6f", mine->result.is_proven ? "" : "~", mine->result.value);
    text_add(text, ", ");
    search_solver_describe(variant, &mine->state, &mine->result, text);
}

static void free_player(Player *base) {
    AlphabetaPlayer *mine = (AlphabetaPlayer *)base;
    mine->search->free(mine->search);
    free(mine);
}

/* Parses `8` as a depth, `2s` as a time. */
static Status read_budget(const char *setting, SearchBudget *budget) {
    uint64_t depth;
    if (number_read(setting, &depth)) {
        Status status = number_parse("alphabeta: depth", setting, 1, SEARCH_DEPTH_MAX, &depth);
        budget->depth = (int)depth;
        return status;
    }
    return number_parse_time("alphabeta", setting, &budget->seconds);
}

Status player_alphabeta_check(const char *setting) {
    SearchBudget budget;
    return read_budget(setting, &budget);
}

Status player_alphabeta_supports(const Variant *variant) {
    if (!variant->game->search)
        return status_make(STATUS_UNSUPPORTED, "alphabeta does not play %s: it has no search",
                           variant->game->identity.name);
    return status_ok();
}

Status player_alphabeta_open(const Variant *variant, const SolveLimits *limits, const char *setting,
                             Solver **shared, Player **player) {
    (void)shared;
    SearchBudget budget = {.threads = limits->threads, .stop = limits->stop};
    Status status = read_budget(setting[0] ? setting : "1s", &budget);
    budget.may_look_up = budget.depth == 0; /* a fixed depth uses no stored values */
    if (!status_is_ok(&status))
        return status;
    AlphabetaPlayer *mine = calloc(1, sizeof *mine);
    if (!mine)
        return status_make(STATUS_FAILED, "out of memory");
    mine->base = (Player){.choose = choose_move, .describe = describe_choice, .free = free_player};
    mine->variant = variant;
    mine->budget = budget;
    status = variant->game->search->open(&variant->rules, limits, &mine->search);
    if (!status_is_ok(&status)) {
        free(mine);
        return status;
    }
    *player = &mine->base;
    return status;
}
