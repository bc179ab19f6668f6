#include "values/reach.h"

#include "game/repetition.h"
#include "kernel/state_map.h"

/* Adds what may happen at `state`; false when there is no more room. */
static bool add_next(const Variant *variant, const State *state, StateMap *map) {
    const Game *game = variant->game;
    const Rules *rules = &variant->rules;
    Move moves[GAME_MOVES_MAX];
    size_t count = variant_steps(variant, state, moves);
    for (size_t i = 0; i < count; i++) {
        State next = *state;
        bool added;
        game->tree.apply(rules, &next, moves[i]);
        if (game->repetition)
            game->repetition->normalize(rules, &next);
        if (state_map_add(map, &next, &added) == STATE_MAP_NONE)
            return false;
    }
    return true;
}

Status reach_count(const Variant *variant, const SolveLimits *limits, ReachCount *count) {
    enum { REPORT_STATES = 1024 };
    StateMap map;
    State state = variant->game->tree.start(&variant->rules);
    Status status = status_ok();
    bool added;
    *count = (ReachCount){.complete = true};
    state_map_init(&map, limits->memory_bytes);
    progress_start(limits->progress, "counting");
    if (state_map_add(&map, &state, &added) == STATE_MAP_NONE)
        count->complete = false;
    /* The map itself is the queue: states are numbered in the order they were found. */
    for (size_t i = 0; i < map.count && count->complete && status_is_ok(&status); i++) {
        state = map.states[i];
        int actor = variant->game->tree.actor(&variant->rules, &state);
        if (actor == GAME_END)
            count->ends++;
        else
            count->complete = add_next(variant, &state, &map);
        if (i % REPORT_STATES == 0) {
            progress_report(limits->progress, i, 0);
            if (limits->stop && *limits->stop)
                status = status_make(STATUS_STOPPED, "stopped");
        }
    }
    progress_finish(limits->progress);
    count->states = map.count;
    state_map_free(&map);
    return status;
}
