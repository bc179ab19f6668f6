#include "ui/screen/play.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/screen/online.h"

enum { FRAME_MS = 70, THROW_FRAMES = 6, LINGER_MS = 350, PACE_MS = 500 };

void play_say(Play *play, bool is_error, const char *message) {
    Text text = text_over(play->message, sizeof play->message);
    text_add(&text, message);
    play->message_is_error = is_error;
}

/* --- values --- */

bool play_is_evaluated(const Play *play) {
    return play->has_known &&
           memcmp(&play->known.state, record_state(&play->record), sizeof play->known.state) == 0;
}

/* Makes room for the values of one more step. */
static bool reserve_values(Play *play) {
    size_t wanted = play->record.step_count + 1;
    if (wanted <= play->value_capacity)
        return true;
    double *values = realloc(play->values, 2 * wanted * sizeof *values);
    if (!values)
        return false;
    for (size_t i = play->value_capacity; i < 2 * wanted; i++)
        values[i] = NAN;
    play->values = values;
    play->value_capacity = 2 * wanted;
    return true;
}

static void request_values(Play *play) {
    if (play->hints == HINTS_OFF || play_is_evaluated(play) || play->is_evaluating ||
        play->is_asked || !play->is_open)
        return;
    const ThinkJob job = {.kind = THINK_VALUES, .state = *record_state(&play->record)};
    play->is_evaluating = thinker_post(play->thinker, &job);
}

void play_set_hints(Play *play, Hints hints) {
    play->hints = hints;
    request_values(play);
}

/* --- whose turn it is --- */

static int actor(const Play *play) {
    const Variant *variant = play_screen_variant(play);
    return variant->game->tree.actor(&variant->rules, record_state(&play->record));
}

/* Whether a person is to throw: at a throw of a person's turn, unless it follows another one. */
static bool person_throws(const Play *play) {
    const Variant *variant = play_screen_variant(play);
    const Record *record = &play->record;
    const State *state = record_state(record);
    int turn = variant->game->tree.turn(&variant->rules, state);
    if (record->seats[turn].kind->open)
        return false;
    if (record->step_count == 0)
        return true;
    const State *before = &record->states[record->step_count - 1];
    return variant->game->tree.actor(&variant->rules, before) != GAME_CHANCE ||
           variant->game->tree.turn(&variant->rules, before) != turn;
}

static void ask_computer(Play *play, int seat) {
    if (play->is_evaluating)
        thinker_cancel(play->thinker); /* the move comes first */
    play->is_evaluating = false;
    const ThinkJob job = {.kind = THINK_CHOOSE,
                          .seat = seat,
                          .state = *record_state(&play->record),
                          .random = record_random(&play->record)};
    play->is_asked = thinker_post(play->thinker, &job);
}

/* Finds out what is to be done at the position on the board. */
void play_find_phase(Play *play) {
    int who = actor(play);
    if (play->connection)
        play->phase = online_phase(play);
    else if (who == GAME_END || record_is_endless(&play->record))
        play->phase = PLAY_END;
    else if (who == GAME_CHANCE)
        play->phase = person_throws(play) ? PLAY_THROW : PLAY_BUSY;
    else
        play->phase = play->record.seats[who].kind->open ? PLAY_BUSY : PLAY_PERSON;
    play_lay_out(play, play->board_area);
    if (play->phase == PLAY_PERSON)
        picker_start(&play->picker, play_screen_variant(play), record_state(&play->record),
                     &play->view.board);
}

static void save(Play *play) {
    Status status = saved_game_write(&play->saved, &play->record);
    if (!status_is_ok(&status))
        play_say(play, true, status.message);
}

/* Makes a step for good. */
void play_make_step(Play *play, Move move, double now_s) {
    const Variant *variant = play_screen_variant(play);
    Status status = record_add(&play->record, move);
    if (!status_is_ok(&status)) {
        play_say(play, true, status.message);
        play->has_failed = true;
        return;
    }
    char bytes[GAME_DRAW_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    const State *before = &play->record.states[play->record.step_count - 1];
    variant->game->text.narrate(&variant->rules, before, move, play->lang, &text);
    play_say(play, false, bytes);
    play->stepped_s = now_s;
    save(play);
    play_find_phase(play);
    request_values(play);
}

/* --- animation --- */

void play_animate(Play *play, Move move, bool is_throw, double now_s) {
    Animation *animation = &play->animation;
    const State *state = record_state(&play->record);
    *animation = (Animation){.is_running = true, .is_throw = is_throw, .move = move, .shown = move};
    animation->count = is_throw ? THROW_FRAMES
                                : board_view_mark_path(&play->view, play_screen_variant(play),
                                                       state, move, 0, GROUND_PATH);
    animation->next_s = now_s;
    play->phase = PLAY_BUSY;
    if (!play->animates || animation->count == 0) {
        animation->is_running = false;
        play_make_step(play, move, now_s);
    }
}

/* The event that a tumbling throw shows: each in turn, and the real one at the end. */
static void tumble(Play *play) {
    const Variant *variant = play_screen_variant(play);
    Animation *animation = &play->animation;
    Move events[GAME_MOVES_MAX];
    size_t count = variant_steps(variant, record_state(&play->record), events);
    bool is_last = animation->frame + 1 >= animation->count;
    animation->shown =
        is_last || count == 0 ? animation->move : events[(size_t)animation->frame * 7 % count];
}

static void next_frame(Play *play, double now_s) {
    Animation *animation = &play->animation;
    if (animation->frame >= animation->count) {
        animation->is_running = false;
        play_make_step(play, animation->move, now_s);
        return;
    }
    if (animation->is_throw)
        tumble(play);
    animation->frame++;
    bool is_last = animation->frame == animation->count;
    animation->next_s = now_s + (is_last ? LINGER_MS : FRAME_MS) / 1000.0;
}

/* --- what happens by itself --- */

/* When chance or a computer may act. */
static double next_step_s(const Play *play) {
    int pace = play->pace_ms >= 0 ? play->pace_ms : play->animates ? PACE_MS : 0;
    return play->stepped_s + pace / 1000.0;
}

double play_due(const Play *play) {
    if (play->animation.is_running)
        return play->animation.next_s;
    if (play->connection)
        return play->online.has_more ? next_step_s(play) : INFINITY;
    bool waits = play->phase != PLAY_BUSY || play->is_asked || play->is_paused ||
                 play->has_failed || !play->is_open;
    return waits ? INFINITY : next_step_s(play);
}

void play_tick(Play *play, double now_s) {
    if (play->connection)
        online_sync(play, now_s);
    if (play_due(play) > now_s)
        return;
    if (play->animation.is_running) {
        next_frame(play, now_s);
        return;
    }
    if (play->connection) {
        online_show_step(play, now_s);
        return;
    }
    int who = actor(play);
    if (who == GAME_CHANCE) {
        Random random = record_random(&play->record);
        play_animate(
            play,
            variant_draw_chance(play_screen_variant(play), record_state(&play->record), &random),
            true, now_s);
    } else if (who >= 0) {
        ask_computer(play, who);
    }
}

void play_throw(Play *play, double now_s) {
    if (play->connection) {
        online_send(play, CONNECTION_THROW, NULL);
        return;
    }
    Random random = record_random(&play->record);
    play_animate(
        play, variant_draw_chance(play_screen_variant(play), record_state(&play->record), &random),
        true, now_s);
}

void play_make(Play *play, Move move, double now_s) {
    if (!play->is_asked && play->is_evaluating)
        thinker_cancel(play->thinker);
    play->is_evaluating = false;
    if (play->connection)
        online_send(play, CONNECTION_MOVE, &move);
    else
        play_animate(play, move, false, now_s);
}

void play_forget_cut(Play *play) {
    thinker_cancel(play->thinker);
    if (!play->is_open) {
        const ThinkJob job = {.kind = THINK_OPEN};
        thinker_post(play->thinker, &job);
    }
    play->is_asked = play->is_evaluating = play->has_failed = false;
    for (size_t i = play->record.step_count + 1; i < play->value_capacity; i++)
        play->values[i] = NAN;
    request_values(play);
}

bool play_undo(Play *play, double now_s) {
    if (play->connection)
        return online_send(play, CONNECTION_UNDO, NULL);
    play->animation.is_running = false;
    if (!record_undo(&play->record))
        return false;
    play_forget_cut(play);
    play->stepped_s = now_s;
    save(play);
    play_find_phase(play);
    return true;
}

/* --- results --- */

static void free_review(Play *play) {
    if (play->review)
        review_close(play->review);
    free(play->review);
    play->review = NULL;
}

static void take_values(Play *play, ThinkResult *result) {
    play->is_evaluating = false;
    if (!status_is_ok(&result->status)) {
        play_say(play, true, result->status.message);
        think_result_free(result);
        return;
    }
    think_result_free(&play->known);
    play->known = *result;
    play->has_known = true;
    if (play_is_evaluated(play) && reserve_values(play))
        play->values[play->record.step_count] = result->evaluation->values[0];
    else
        request_values(play); /* the game has gone on */
}

static void take_review(Play *play, ThinkResult *result) {
    free_review(play);
    if (status_is_ok(&result->status)) {
        play->review = result->review;
        result->review = NULL;
    } else {
        play_say(play, true, result->status.message);
    }
}

void play_results(Play *play, double now_s) {
    ThinkResult result;
    while (thinker_take(play->thinker, &result)) {
        bool good = status_is_ok(&result.status);
        if (!good && (result.kind == THINK_OPEN || result.kind == THINK_CHOOSE)) {
            play_say(play, true, result.status.message);
            play->has_failed = true;
        }
        switch (result.kind) {
        case THINK_OPEN:
            play->is_open = good;
            request_values(play);
            break;
        case THINK_CHOOSE:
            play->is_asked = false;
            if (good)
                play_animate(play, result.move, false, now_s);
            break;
        case THINK_VALUES:
        case THINK_LINE:
            if (play->on_values)
                play->on_values(play->values_context, &result);
            else
                take_values(play, &result);
            continue; /* they keep the result */
        case THINK_REVIEW:
            take_review(play, &result);
            break;
        }
        think_result_free(&result);
    }
}

void play_lay_out(Play *play, Area area) {
    play->board_area = area;
    board_view_set(&play->view, play_screen_variant(play), record_state(&play->record), area,
                   play->numbers, play->lang);
}

/* --- opening and closing --- */

Status play_open(Play *play, Record *record, const char *path, const SolveLimits *limits) {
    const ThinkJob job = {.kind = THINK_OPEN};
    play->board_area = (Area){0, 0, CELLS_ROWS_LEAST, CELLS_COLUMNS_LEAST}; /* until it is drawn */
    play->record = *record;
    *record = (Record){.seed = 0};
    snprintf(play->path, sizeof play->path, "%s", path);
    play->saved = (SavedGame){.path = play->path[0] ? play->path : NULL};
    play->thinker = thinker_open(play_screen_variant(play), play->record.seats, limits);
    if (!play->thinker) {
        record_close(&play->record);
        return status_make(STATUS_FAILED, "cannot start a thread");
    }
    thinker_post(play->thinker, &job);
    save(play);
    play_find_phase(play);
    return status_ok();
}

void play_close(Play *play) {
    if (!play->thinker)
        return;
    thinker_close(play->thinker);
    if (play->connection)
        connection_close(play->connection);
    think_result_free(&play->known);
    free_review(play);
    saved_game_close(&play->saved);
    record_close(&play->record);
    free(play->values);
    *play = (Play){.thinker = NULL};
}
