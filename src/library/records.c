/* Records of games, and their reviews. */
#include <stdlib.h>
#include <string.h>

#include "library/library.h"
#include "play/review.h"

struct MalpanRecord {
    Record record;
    uint64_t tag;
};

struct MalpanReview {
    Review review;
    int player_count;
};

/* Reads the names of the seats; NULL: people. */
static Status read_seats(const char *text, int count, Seat seats[]) {
    enum { WORDS = GAME_PLAYERS_MAX };
    char storage[2 * GAME_TEXT_BYTES];
    char *words[WORDS + 1];
    size_t found = text ? text_split(text, storage, sizeof storage, words, WORDS) : 0;
    if (text && found != (size_t)count)
        return status_make(STATUS_USAGE, "seats: expected %d names, not %s", count,
                           quote(text).text);
    Status status = status_ok();
    for (int i = 0; status_is_ok(&status) && i < count; i++)
        status = seat_parse(text ? words[i] : "you", &seats[i]);
    return status;
}

int malpan_record_open(const MalpanGame *game, const char *seats, uint64_t seed,
                       const MalpanPosition *start, MalpanRecord **opened, MalpanError *error) {
    if (!opened)
        return library_finish(error, library_expected("room for the record"));
    *opened = NULL;
    if (!game)
        return library_finish(error, library_expected("a game"));
    Seat read[GAME_PLAYERS_MAX];
    State state = game->variant.game->tree.start(&game->variant.rules);
    Status status = start ? library_read_position(game->tag, start, &state) : status_ok();
    if (status_is_ok(&status))
        status = read_seats(seats, malpan_player_count(game), read);
    MalpanRecord *record = calloc(1, sizeof *record);
    if (!record)
        status = library_out_of_memory();
    if (status_is_ok(&status))
        status = record_open(&game->variant, read, seed, &state, &record->record);
    if (status_is_ok(&status)) {
        record->tag = game->tag;
        *opened = record;
    } else {
        free(record);
    }
    return library_finish(error, status);
}

int malpan_record_parse(const char *text, MalpanRecord **opened, MalpanError *error) {
    if (!opened)
        return library_finish(error, library_expected("room for the record"));
    *opened = NULL;
    MalpanRecord *record = calloc(1, sizeof *record);
    Status status = !text     ? library_expected("the text of a record")
                    : !record ? library_out_of_memory()
                              : record_parse(text, &record->record);
    if (status_is_ok(&status)) {
        record->tag = library_tag(&record->record.variant);
        *opened = record;
    } else {
        free(record);
    }
    return library_finish(error, status);
}

void malpan_record_close(MalpanRecord **closed) {
    if (!closed || !*closed)
        return;
    record_close(&(*closed)->record);
    free(*closed);
    *closed = NULL;
}

size_t malpan_record_print(const MalpanRecord *record, char *text, size_t capacity) {
    char none[1];
    Text printed = text_over(none, sizeof none);
    char *bytes = record ? record_print(&record->record) : NULL;
    if (bytes)
        printed = (Text){.bytes = bytes, .length = strlen(bytes)};
    size_t length = library_give_text(&printed, text, capacity);
    free(bytes);
    return length;
}

MalpanGame *malpan_record_game(const MalpanRecord *record) {
    MalpanGame *game = record ? calloc(1, sizeof *game) : NULL;
    if (game)
        *game = (MalpanGame){.variant = record->record.variant, .tag = record->tag};
    return game;
}

size_t malpan_record_length(const MalpanRecord *record) {
    return record ? record->record.step_count : 0;
}

/* Checks that the record, room for a result, and number `index` of `count` exist. */
static Status check_item(const MalpanRecord *record, const void *room, size_t index,
                         size_t beyond) {
    if (!record || !room)
        return library_expected(record ? "room for the result" : "a record");
    size_t count = record->record.step_count + beyond;
    return index < count
               ? status_ok()
               : status_make(STATUS_USAGE, "there is no number %zu among %zu", index, count);
}

int malpan_record_position(const MalpanRecord *record, size_t index, MalpanPosition *position,
                           MalpanError *error) {
    Status status = check_item(record, position, index, 1);
    if (status_is_ok(&status))
        library_set_state(record->tag, &record->record.states[index], position);
    return library_finish(error, status);
}

int malpan_record_move(const MalpanRecord *record, size_t index, MalpanMove *move,
                       MalpanError *error) {
    Status status = check_item(record, move, index, 0);
    if (status_is_ok(&status))
        *move = record->record.moves[index];
    return library_finish(error, status);
}

int malpan_record_add(MalpanRecord *record, MalpanMove move, MalpanError *error) {
    return library_finish(error, record ? record_add(&record->record, move)
                                        : library_expected("a record"));
}

int malpan_record_cut(MalpanRecord *record, size_t length, MalpanError *error) {
    if (!record)
        return library_finish(error, library_expected("a record"));
    record_cut(&record->record, length);
    return library_finish(error, status_ok());
}

int malpan_record_random(const MalpanRecord *record, MalpanRandom *random, MalpanError *error) {
    if (!record || !random)
        return library_finish(error,
                              library_expected(record ? "room for the generator" : "a record"));
    Random generator = record_random(&record->record);
    library_set_random(&generator, random);
    return library_finish(error, status_ok());
}

/* --- reviews --- */

int malpan_review_open(const MalpanRecord *record, MalpanSolver *solver, MalpanReview **opened,
                       MalpanError *error) {
    if (!opened)
        return library_finish(error, library_expected("room for the review"));
    *opened = NULL;
    if (!record)
        return library_finish(error, library_expected("a record"));
    Solver *used = NULL;
    const StopFlag *stop = NULL;
    Status status = library_use_solver(solver, record->tag, &used, &stop);
    MalpanReview *review = calloc(1, sizeof *review);
    if (!review)
        status = library_out_of_memory();
    if (status_is_ok(&status))
        status = review_make(&record->record, used, stop, &review->review);
    if (status_is_ok(&status)) {
        const Variant *variant = &record->record.variant;
        review->player_count = variant->game->rules.player_count(&variant->rules);
        *opened = review;
    } else {
        malpan_review_close(&review);
    }
    return library_finish(error, status);
}

void malpan_review_close(MalpanReview **closed) {
    if (!closed || !*closed)
        return;
    review_close(&(*closed)->review);
    free(*closed);
    *closed = NULL;
}

int malpan_review_step(const MalpanReview *review, size_t index, MalpanReviewStep *step,
                       MalpanError *error) {
    if (!review || !step)
        return library_finish(error, library_expected(review ? "room for the step" : "a review"));
    if (index >= review->review.step_count)
        return library_finish(error, status_make(STATUS_USAGE, "there is no step %zu among %zu",
                                                 index, review->review.step_count));
    const ReviewStep *found = &review->review.steps[index];
    *step = (MalpanReviewStep){.loss = found->loss,
                               .luck = found->luck,
                               .player = found->player,
                               .is_chance = found->is_chance,
                               .kind = found->is_estimate ? MALPAN_ESTIMATE : MALPAN_EXACT,
                               .best = found->best,
                               .verdict = (int)found->verdict};
    memcpy(step->values, found->values, (size_t)review->player_count * sizeof step->values[0]);
    return library_finish(error, status_ok());
}

int malpan_review_totals(const MalpanReview *review, int player, MalpanReviewTotals *totals,
                         MalpanError *error) {
    if (!review || !totals)
        return library_finish(error, library_expected(review ? "room for the totals" : "a review"));
    if (player < 0 || player >= review->player_count)
        return library_finish(error, status_make(STATUS_USAGE, "there is no player %d", player));
    const Review *made = &review->review;
    *totals = (MalpanReviewTotals){.start = made->start[player],
                                   .end = made->end[player],
                                   .luck = made->luck[player],
                                   .skill = made->skill[player],
                                   .others = made->others[player]};
    return library_finish(error, status_ok());
}
