/* A game looked back on, as JSON. */
#include <stdlib.h>
#include <string.h>

#include "play/review.h"
#include "ui/web/server.h"
#include "ui/web/view.h"

enum { WORST_MAX = 3 };

/* How long all searches of a review may take, where values have to be searched for; and one of
 * them. */
#define SEARCHES_S 10.0
#define SEARCHES_SO_FAR_S 2.0
#define SEARCH_S 0.2

static json_t *view_values(const double values[], int players) {
    json_t *list = json_array();
    for (int i = 0; i < players; i++)
        json_array_append_new(list, json_real(values[i]));
    return list;
}

static json_t *view_steps(const Record *record, const Review *review, int players) {
    const Variant *variant = &record->variant;
    json_t *list = json_array();
    for (size_t i = 0; i < review->step_count; i++) {
        const ReviewStep *step = &review->steps[i];
        json_t *json = json_pack("{s:o, s:b, s:i}", "values", view_values(step->values, players),
                                 "exact", !step->is_estimate, "turn", step->player);
        if (step->is_chance) {
            json_object_set_new(json, "luck", json_real(step->luck));
        } else {
            json_object_set_new(json, "loss", json_real(step->loss));
            json_object_set_new(json, "best",
                                view_move_text(variant, &record->states[i], step->best));
        }
        view_add_outcome(variant, step->values[step->player], !step->is_estimate, json);
        json_array_append_new(list, json);
    }
    return list;
}

/* The numbers of the costliest moves, the worst first. */
static json_t *view_worst(const Review *review) {
    size_t worst[WORST_MAX], count = 0;
    for (size_t i = 0; i < review->step_count; i++) {
        double loss = review->steps[i].loss;
        if (review->steps[i].is_chance || loss <= 1e-9)
            continue;
        size_t place = count;
        while (place > 0 && review->steps[worst[place - 1]].loss < loss)
            place--;
        if (place == WORST_MAX)
            continue;
        if (count < WORST_MAX)
            count++;
        memmove(worst + place + 1, worst + place, (count - 1 - place) * sizeof worst[0]);
        worst[place] = i;
    }
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_integer((json_int_t)worst[i]));
    return list;
}

static json_t *view_review(const Record *record, const Review *review) {
    const Variant *variant = &record->variant;
    int players = variant->game->rules.player_count(&variant->rules);
    ValueInfo info = variant->game->rules.value_info(&variant->rules);
    json_t *list = json_array();
    for (int i = 0; i < players; i++)
        json_array_append_new(list,
                              json_pack("{s:f, s:f, s:f, s:f, s:f}", "start", review->start[i],
                                        "luck", review->luck[i], "skill", review->skill[i],
                                        "others", review->others[i], "result", review->end[i]));
    return json_pack("{s:o, s:o, s:o, s:o, s:b, s:o, s:b}", "steps",
                     view_steps(record, review, players), "end", view_values(review->end, players),
                     "players", list, "worst", view_worst(review), "exact", !review->has_estimates,
                     "meaning", view_meaning(variant), "lower_is_better", info.lower_is_better);
}

/* Copies the record, so that the lock need not be held while it is looked at. NULL: answered. */
static char *copy_record(Request *request) {
    Lives *lives = &request->server->lives;
    LiveGame *game;
    char *text = NULL;
    pthread_mutex_lock(&lives->lock);
    LiveError error = live_find(lives, request->id, &game);
    bool may = error.code == 0 && (live_is_over(game) || request_query(request, "so-far"));
    if (may)
        text = record_print(&game->record);
    pthread_mutex_unlock(&lives->lock);
    if (error.code != 0)
        reply_error(request, error.code, error.message);
    else if (!may)
        reply_error(request, MHD_HTTP_CONFLICT, "the game is not over: ask with so-far=1");
    else if (!text)
        reply_error(request, MHD_HTTP_INTERNAL_SERVER_ERROR, "out of memory");
    return text;
}

static void review_by_worker(Request *request) {
    char *text = copy_record(request);
    if (!text)
        return;
    Record record;
    Review review = {.steps = NULL};
    Brain *brain;
    Status status = record_parse(text, &record);
    free(text);
    if (!status_is_ok(&status)) {
        reply_status(request, &status);
        return;
    }
    double all_s = request_query(request, "so-far") ? SEARCHES_SO_FAR_S : SEARCHES_S;
    double search_s = all_s / (double)(record.step_count + 1);
    status = solvers_make(&request->server->solvers, &record.variant,
                          search_s < SEARCH_S ? search_s : SEARCH_S, SERVER_REVIEW_S, &brain);
    if (status_is_ok(&status)) {
        status = review_make(&record, brain->solver, &brain->stop, &review);
        solvers_give(&request->server->solvers, brain, true);
    }
    if (status_is_ok(&status))
        reply_json(request, MHD_HTTP_OK, view_review(&record, &review));
    else
        reply_status(request, &status);
    review_close(&review);
    record_close(&record);
}

void api_review(Request *request) {
    works_add(request, review_by_worker);
}
