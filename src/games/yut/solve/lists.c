#include "games/yut/solve/lists.h"

#include <stdlib.h>

/* The order of the lists: by size, then those with more of the first results first. */
static int compare_counts(const uint8_t a[YUT_RESULTS], const uint8_t b[YUT_RESULTS]) {
    int difference = 0, first = 0;
    for (int i = YUT_RESULTS; i-- > 0;) {
        difference += a[i] - b[i];
        if (a[i] != b[i])
            first = b[i] - a[i];
    }
    return difference != 0 ? difference : first;
}

int lists_find(const ResultLists *lists, const uint8_t counts[YUT_RESULTS]) {
    int low = 0, high = lists->count;
    while (low < high) {
        int middle = (low + high) / 2;
        int order = compare_counts(lists->lists[middle].counts, counts);
        if (order == 0)
            return middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

/* How many extras a list with `lasts` lasts may have. */
static int extras_beside(const ResultLists *lists, int lasts) {
    int played = lists->catch_throws == 1 && lasts > 1 ? lasts - 1 : 0;
    return lists->extras_max > played ? lists->extras_max - played : 0;
}

bool lists_has_room(const ResultLists *lists, const ResultList *list, int throws) {
    return list->extras <= extras_beside(lists, list->lasts + throws);
}

/* Adds every list that extends `list` by `left` results, none of them before `first`. */
static bool add_lists(ResultLists *lists, size_t *capacity, ResultList *list, int first, int left) {
    if (left == 0) {
        if (list->extras > extras_beside(lists, list->lasts))
            return true;
        if ((size_t)lists->count == *capacity) {
            *capacity = *capacity ? 2 * *capacity : 64;
            ResultList *larger = realloc(lists->lists, *capacity * sizeof *larger);
            if (!larger)
                return false;
            lists->lists = larger;
        }
        lists->lists[lists->count++] = *list;
        return true;
    }
    for (int result = first; result < YUT_RESULTS; result++) {
        bool extra = lists->is_extra[result];
        bool possible = lists->chances[result] > 0;
        if (!possible || (!extra && list->lasts >= lists->lasts_max) ||
            (extra && list->extras >= lists->extras_max))
            continue;
        list->counts[result]++;
        list->extras = (uint8_t)(list->extras + extra);
        list->lasts = (uint8_t)(list->lasts + !extra);
        bool added = add_lists(lists, capacity, list, result, left - 1);
        list->counts[result]--;
        list->extras = (uint8_t)(list->extras - extra);
        list->lasts = (uint8_t)(list->lasts - !extra);
        if (!added)
            return false;
    }
    return true;
}

static void connect_lists(ResultLists *lists) {
    for (int i = 0; i < lists->count; i++) {
        ResultList *list = &lists->lists[i];
        for (int result = 0; result < YUT_RESULTS; result++) {
            uint8_t counts[YUT_RESULTS];
            memcpy(counts, list->counts, sizeof counts);
            list->without[result] = -1;
            if (counts[result] > 0) {
                counts[result]--;
                list->without[result] = lists_find(lists, counts);
                counts[result]++;
            }
            counts[result]++;
            list->with[result] = lists_find(lists, counts);
        }
    }
}

/* The list that stands for `list` while `throws` throws are still due. */
static int32_t find_pending(const ResultLists *lists, int32_t list, int throws) {
    const ResultList *what = &lists->lists[list];
    while (!lists_has_room(lists, what, throws)) {
        int result = YUT_RESULTS - 1;
        while (!lists->is_extra[result] || what->without[result] < 0)
            result--;
        list = what->without[result];
        what = &lists->lists[list];
    }
    return list;
}

void lists_find_chances(const YutRules *rules, int player, double chances[YUT_RESULTS],
                        bool is_extra[YUT_RESULTS]) {
    uint64_t weights[YUT_RESULTS + 1];
    double whole = (double)yut_weights(rules, weights);
    for (int result = 0; result < YUT_RESULTS; result++) {
        chances[result] = (double)weights[result] / whole;
        is_extra[result] =
            weights[result] > 0 && yut_throws_again(rules, player, (YutResult)result);
    }
}

double lists_nak(const YutRules *rules) {
    return (double)rules->nak / YUT_NAK_WHOLE;
}

double lists_again(const YutRules *rules, int player) {
    double chances[YUT_RESULTS], again = 0;
    bool is_extra[YUT_RESULTS];
    lists_find_chances(rules, player, chances, is_extra);
    for (int result = 0; result < YUT_RESULTS; result++)
        if (is_extra[result])
            again += chances[result];
    return again;
}

Status lists_open(const YutRules *rules, int player, int extras_max, int lasts_max,
                  int catch_throws, ResultLists *lists) {
    *lists = (ResultLists){
        .extras_max = extras_max, .lasts_max = lasts_max, .catch_throws = catch_throws};
    lists_find_chances(rules, player, lists->chances, lists->is_extra);
    size_t capacity = 0;
    bool added = true;
    for (int size = 0; added && size <= extras_max + lasts_max; size++) {
        ResultList list = {.extras = 0};
        added = add_lists(lists, &capacity, &list, 0, size);
    }
    if (!added) {
        lists_close(lists);
        return status_make(STATUS_FAILED, "out of memory");
    }
    connect_lists(lists);
    for (int32_t list = 0; list < lists->count; list++)
        lists->lists[list].pending = find_pending(lists, list, catch_throws);
    return status_ok();
}

void lists_close(ResultLists *lists) {
    free(lists->lists);
    *lists = (ResultLists){.count = 0};
}
