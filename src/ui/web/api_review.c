/* The review of a game as JSON. */
#include <stdlib.h>
#include <string.h>

#include "play/review.h"
#include "ui/json/encode.h"
#include "ui/web/server.h"

enum { WORST_MAX = 3 };

/* Where values need a search: how long all searches of a review may take, and one of them. */
#define SEARCHES_S 10.0
#define SEARCHES_SO_FAR_S 2.0
#define SEARCH_S 0.2

static json_t *view_steps(const Record *record, const Review *review) {
    const Variant *variant = &record->variant;
    json_t *list = json_array();
    for (size_t i = 0; i < review->step_count; i++) {
        const ReviewStep *step = &review->steps[i];
        json_t *json = json_pack("{s:o, s:b, s:i}", "values", encode_values(variant, step->values),
                                 "exact", !step->is_estimate, "player", step->player);
        if (step->is_chance) {
            json_object_set_new(json, "luck", json_real(step->luck));
        } else {
            json_object_set_new(json, "loss", json_real(step->loss));
            json_object_set_new(json, "best", encode_move(variant, &record->states[i], step->best));
        }
        encode_add_outcome(variant, step->values[step->player], step->is_estimate, json);
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
    json_t *list = json_array();
    for (int i = 0; i < players; i++)
        json_array_append_new(list,
                              json_pack("{s:f, s:f, s:f, s:f, s:f}", "start", review->start[i],
                                        "luck", review->luck[i], "skill", review->skill[i],
                                        "others", review->others[i], "result", review->end[i]));
    json_t *json = json_pack("{s:o, s:o, s:o, s:o, s:b}", "steps", view_steps(record, review),
                             "end", encode_values(variant, review->end), "players", list, "worst",
                             view_worst(review), "exact", !review->has_estimates);
    encode_add_meaning(variant, json);
    return json;
}

/* Copies the record, so that the registry is not locked during the review. NULL: the reply is set
 * to an error. */
static char *copy_record(Request *request) {
    GameRegistry *registry = &request->server->registry;
    HostedGame *game;
    char *text = NULL;
    pthread_mutex_lock(&registry->lock);
    GameError error = game_registry_find(registry, request->id, &game);
    bool may = error.code == 0 && (hosted_game_is_over(game) || request_query(request, "so-far"));
    if (may)
        text = record_print(&game->record);
    pthread_mutex_unlock(&registry->lock);
    if (error.code != 0)
        reply_game_error(request, &error);
    else if (!may)
        reply_error(request, MHD_HTTP_CONFLICT,
                    (Phrase){{"the game is not over; so-far=1 reviews it up to now",
                              "아직 끝나지 않은 게임입니다 (so-far=1이면 지금까지를 복기합니다)"}});
    else if (!text)
        reply_error(request, MHD_HTTP_INTERNAL_SERVER_ERROR,
                    (Phrase){{"out of memory", "메모리가 부족합니다"}});
    return text;
}

static void review_by_worker(Request *request) {
    char *text = copy_record(request);
    if (!text)
        return;
    Record record;
    Review review = {.steps = NULL};
    PooledSolver *pooled;
    Status status = record_parse(text, &record);
    free(text);
    if (!status_is_ok(&status)) {
        reply_status(request, &status);
        return;
    }
    double all_s = request_query(request, "so-far") ? SEARCHES_SO_FAR_S : SEARCHES_S;
    double search_s = all_s / (double)(record.step_count + 1);
    status =
        solver_pool_create(&request->server->pool, &record.variant,
                           search_s < SEARCH_S ? search_s : SEARCH_S, SERVER_REVIEW_S, &pooled);
    if (status_is_ok(&status)) {
        status = review_make(&record, pooled->solver, &pooled->stop, &review);
        solver_pool_release(&request->server->pool, pooled, true);
    }
    if (status_is_ok(&status))
        reply_json(request, MHD_HTTP_OK, view_review(&record, &review));
    else
        reply_status(request, &status);
    review_close(&review);
    record_close(&record);
}

void api_review(Request *request) {
    work_queue_add(request, review_by_worker);
}
