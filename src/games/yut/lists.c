#include "games/yut/lists.h"

#include <math.h>
#include <stdlib.h>

/* The order in which lists are made: by size, then those with more of the first results first. */
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

/* Adds every list that is `list` with `left` more results, from `first` on. */
static bool add_lists(ResultLists *lists, size_t *capacity, ResultList *list, int first, int left) {
    if (left == 0) {
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
        if (!possible ||
            (extra ? list->extras >= lists->extras_max : list->lasts >= lists->lasts_max))
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
                list->without[result] = (int16_t)lists_find(lists, counts);
                counts[result]++;
            }
            counts[result]++;
            list->with[result] = (int16_t)lists_find(lists, counts);
        }
    }
}

Status lists_bound(const YutRules *rules, int player, int extras_max, int lasts_max,
                   ResultLists *lists) {
    Rules packed = yut_rules_pack(rules);
    State start = yut_start(&packed);
    Chance chances[GAME_CHANCES_MAX];
    uint64_t whole;
    size_t count = yut_chances(&packed, &start, chances, &whole);
    *lists = (ResultLists){.extras_max = extras_max, .lasts_max = lasts_max};
    double again = 0;
    for (size_t i = 0; i < count; i++) {
        YutResult result = (YutResult)chances[i].move;
        lists->chances[result] = (double)chances[i].weight / (double)whole;
        lists->is_extra[result] = yut_throws_again(rules, player, result);
        if (lists->is_extra[result])
            again += lists->chances[result];
    }
    /* A turn has at most lasts_max throws, each with a geometric number of extras. The chance of n
     * in all is binom(n + k - 1, n) again^n (1 - again)^k for k throws; it sums to 1 over all n,
     * and the more throws, the more lies beyond extras_max. */
    double within = 0, binomial = 1;
    for (int n = 0; n <= extras_max; n++) {
        within += binomial * pow(again, n) * pow(1 - again, lasts_max);
        binomial = binomial * (n + lasts_max) / (n + 1);
    }
    /* Where almost all lies within, add up what lies beyond instead: its terms fall faster than by
     * half each, from far beyond the largest. */
    double beyond = 0;
    for (int n = extras_max + 1; n < extras_max + 1000; n++) {
        beyond += binomial * pow(again, n) * pow(1 - again, lasts_max);
        binomial = binomial * (n + lasts_max) / (n + 1);
    }
    lists->cut_off = within < 0.5 ? 1 - within : beyond;
    return status_ok();
}

Status lists_open(const YutRules *rules, int player, int extras_max, int lasts_max,
                  ResultLists *lists) {
    Status status = lists_bound(rules, player, extras_max, lasts_max, lists);
    if (!status_is_ok(&status))
        return status;
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
    return status;
}

void lists_close(ResultLists *lists) {
    free(lists->lists);
    *lists = (ResultLists){.count = 0};
}
