#include "play/session.h"

#include <assert.h>

#include "values/playout.h"

Status session_open(Session *session, Record *record, const SolveLimits *limits) {
    *session = (Session){.record = *record};
    *record = (Record){.seed = 0};
    const Variant *variant = &session->record.variant;
    for (int i = 0; i < variant->game->rules.player_count(&variant->rules); i++) {
        const Seat *seat = &session->record.seats[i];
        Status status = seat->kind->open ? seat_open(seat, variant, limits, &session->solver,
                                                     &session->players[i])
                                         : status_ok();
        if (!status_is_ok(&status)) {
            session_close(session);
            return status;
        }
    }
    return status_ok();
}

void session_close(Session *session) {
    for (int i = 0; i < GAME_PLAYERS_MAX; i++)
        if (session->players[i])
            session->players[i]->free(session->players[i]);
    if (session->solver)
        session->solver->free(session->solver);
    record_close(&session->record);
    *session = (Session){.players = {NULL}};
}

static int actor_at(const Session *session, const State *state) {
    const Variant *variant = &session->record.variant;
    return variant->game->tree.actor(&variant->rules, state);
}

int session_waits_for(const Session *session) {
    return record_waits_for(&session->record);
}

const Player *session_computer(const Session *session) {
    int actor = actor_at(session, record_state(&session->record));
    return actor >= 0 ? session->players[actor] : NULL;
}

bool session_is_endless(const Session *session) {
    return record_is_endless(&session->record);
}

Status session_step(Session *session) {
    assert(session_waits_for(session) == GAME_CHANCE);
    Record *record = &session->record;
    const State *state = record_state(record);
    Random random = record_random(record);
    int actor = actor_at(session, state);
    Move move;
    if (actor == GAME_CHANCE) {
        move = variant_draw_chance(&record->variant, state, &random);
    } else {
        Status status =
            session->players[actor]->choose(session->players[actor], state, &random, &move);
        if (!status_is_ok(&status))
            return status;
    }
    return record_add(record, move);
}

bool session_undo(Session *session) {
    return record_undo(&session->record);
}
