/* Requests for the review of a game. */
#include "ui/json/review.h"
#include "ui/web/request.h"

/* Where values need a search: how long all searches of a review may take, and one of them. */
#define SEARCHES_S 10.0
#define SEARCHES_SO_FAR_S 2.0
#define SEARCH_S 0.2

/* Copies the record, so that the registry is not locked during the review. The caller closes it in
 * any case. False: the reply is set to an error. */
static bool copy_record(Request *request, Record *record) {
    GameRegistry *registry = request->service->registry;
    HostedGame *game;
    *record = (Record){.seed = 0};
    pthread_mutex_lock(&registry->lock);
    GameError error = game_registry_find_settled(registry, request->id, &game);
    bool may = error.code == 0 && (hosted_game_is_over(game) || request_query(request, "so-far"));
    bool is_copied = may && hosted_game_copy_record(game, record);
    pthread_mutex_unlock(&registry->lock);
    if (error.code != 0)
        reply_game_error(request, &error);
    else if (!may)
        reply_error(request, REPLY_CONFLICT,
                    (Phrase){{"the game is not over; so-far=1 reviews it up to now",
                              "아직 끝나지 않은 게임입니다 (so-far=1이면 지금까지를 복기합니다)"}});
    else if (!is_copied)
        reply_error(request, REPLY_UNAVAILABLE, (Phrase){{"out of memory", "메모리가 부족합니다"}});
    return is_copied;
}

static bool review_by_worker(Request *request) {
    Record record;
    Review review = {.steps = NULL};
    PooledSolver *pooled;
    if (!copy_record(request, &record)) {
        record_close(&record);
        return true;
    }
    double all_s = request_query(request, "so-far") ? SEARCHES_SO_FAR_S : SEARCHES_S;
    double search_s = all_s / (double)(record.step_count + 1);
    Status status =
        solver_pool_create(request->service->pool, &record.variant,
                           search_s < SEARCH_S ? search_s : SEARCH_S, SERVER_REVIEW_S, &pooled);
    if (status_is_ok(&status)) {
        status = review_make(&record, pooled->solver, &pooled->stop, &review);
        solver_pool_release(request->service->pool, pooled, true);
    }
    if (status_is_ok(&status))
        reply_json(request, REPLY_OK, encode_review(&record, &review));
    else
        reply_status(request, &status);
    review_close(&review);
    record_close(&record);
    return true;
}

void api_review(Request *request) {
    work_queue_add(request, JOB_LONG, review_by_worker);
}
