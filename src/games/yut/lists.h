/* The lists of results a player may have to play, as a graph: each list knows which list is left
 * when a result is played, and which it becomes when one is thrown.
 *
 * A throw goes on while results that throw again come up (yut, mo, a dog's geol): call these
 * *extra*, the others *last*, since a throw ends with one of them. Lists are kept up to a number of
 * extras and a number of lasts; a player gets one last for its throw and one or two more for every
 * catch. What lies beyond is cut off, and the chance of coming there in one turn is `cut_off`.
 */
#ifndef MALPAN_GAMES_YUT_LISTS_H
#define MALPAN_GAMES_YUT_LISTS_H

#include "games/yut/yut.h"

enum { LISTS_EXTRAS_MAX = 24 };

typedef struct ResultList {
    uint8_t counts[YUT_RESULTS];
    uint8_t extras, lasts;
    int16_t without[YUT_RESULTS]; /* the list after the result is played; -1: it is not in it */
    int16_t with[YUT_RESULTS];    /* the list after the result is thrown; -1: beyond the limits */
} ResultList;

typedef struct ResultLists {
    int count;
    ResultList *lists; /* the empty one first, then by size: what is left comes before the whole */
    double chances[YUT_RESULTS];
    bool is_extra[YUT_RESULTS];
    int extras_max, lasts_max;
    double cut_off; /* at most: the chance that one turn's throws leave the graph */
} ResultLists;

/* The lists of `player` under the rules, with at most so many extras and lasts. */
Status lists_open(const YutRules *rules, int player, int extras_max, int lasts_max,
                  ResultLists *lists);
/* The chances and the cut-off alone, without any list. */
Status lists_bound(const YutRules *rules, int player, int extras_max, int lasts_max,
                   ResultLists *lists);
void lists_close(ResultLists *lists);

/* The number of the list with these counts, or -1. */
int lists_find(const ResultLists *lists, const uint8_t counts[YUT_RESULTS]);

#endif
