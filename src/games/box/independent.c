#include "games/box/independent.h"

#include <stdlib.h>

enum {
    HORIZON_MAX = 64, /* turns; a limit of 200 is reached long before */
    OVER_MAX = BOX_TILES_MAX * (BOX_TILES_MAX + 1) / 2 + 1
};

/* --- a turn played alone --- */

/* Finds the best set after every open set and roll, by the lowest expected score, and from it the
 * chances of all scores. */
static bool find_scores(const BoxFits *fits, Independent *model) {
    const BoxRules *rules = &model->rules;
    TileSet all = box_all_tiles(rules);
    double *expected = malloc(((size_t)all + 1) * sizeof *expected);
    double *reached = calloc((size_t)all + 1, sizeof *reached);
    if (expected && reached) {
        expected[0] = rules->shut_scores_0 ? 0 : -model->total;
        for (TileSet open = 1; open <= all; open++) {
            int dice = box_dice(rules, open), sum = box_sum(open);
            const double *weights = box_fits_weights(fits, dice);
            expected[open] = 0;
            for (int roll = dice; roll <= dice * rules->sides; roll++) {
                BoxFit fit = box_fits_after(fits, open, roll);
                double best = sum;
                for (size_t i = 0; i < fit.count; i++)
                    best = i == 0 || expected[fit.sets[i]] < best ? expected[fit.sets[i]] : best;
                expected[open] += weights[roll] * best;
            }
        }
        reached[all] = 1;
        for (TileSet open = all; open > 0; open--) {
            int dice = box_dice(rules, open);
            const double *weights = box_fits_weights(fits, dice);
            for (int roll = dice; roll <= dice * rules->sides && reached[open] > 0; roll++) {
                BoxFit fit = box_fits_after(fits, open, roll);
                double chance = reached[open] * weights[roll];
                size_t best = 0;
                for (size_t i = 1; i < fit.count; i++)
                    if (expected[fit.sets[i]] < expected[fit.sets[best]])
                        best = i;
                if (fit.count > 0)
                    reached[fit.sets[best]] += chance;
                else
                    model->score[box_sum(open)] += chance;
            }
        }
        *(rules->shut_scores_0 ? &model->score[0] : &model->shut) = reached[0];
    }
    bool is_found = expected && reached;
    free(expected);
    free(reached);
    return is_found;
}

/* --- sums of turns --- */

static double *row_of(const Independent *model, double *rows, int turns) {
    assert(turns >= 0 && turns <= model->horizon);
    return rows + (size_t)turns * (size_t)model->span;
}

static void add_up(Independent *model) {
    row_of(model, model->sums, 0)[0] = 1;
    for (int turns = 1; turns <= model->horizon; turns++) {
        const double *before = row_of(model, model->sums, turns - 1);
        double *after = row_of(model, model->sums, turns);
        for (int t = 0; t < model->span; t++)
            for (int score = 0; score <= model->total && t + score < model->span; score++)
                after[t + score] += before[t] * model->score[score];
    }
    for (int turns = 0; turns <= model->horizon; turns++) {
        const double *sums = row_of(model, model->sums, turns);
        double *below = row_of(model, model->below, turns), sum = 0;
        for (int t = 0; t < model->span; t++)
            below[t] = sum += sums[t];
    }
}

bool independent_open(const BoxRules *rules, const BoxFits *fits, Independent *model) {
    int total = box_sum(box_all_tiles(rules));
    int horizon = rules->rounds > 0 ? rules->rounds : HORIZON_MAX;
    int span = rules->limit > 0 ? rules->limit : horizon * total + 1;
    size_t cells = (size_t)(horizon + 1) * (size_t)span;
    *model = (Independent){.rules = *rules,
                           .total = total,
                           .horizon = horizon,
                           .span = span,
                           .score = calloc((size_t)total + 1, sizeof(double)),
                           .sums = calloc(cells, sizeof(double)),
                           .below = calloc(cells, sizeof(double))};
    if (!model->score || !model->sums || !model->below || !find_scores(fits, model))
        return false;
    add_up(model);
    return true;
}

void independent_close(Independent *model) {
    free(model->score);
    free(model->sums);
    free(model->below);
    model->score = model->sums = model->below = NULL;
}

/* --- one player's way through the rounds --- */

typedef struct Way {
    int total;              /* now; BOX_OUT: the player was out before */
    bool has_moved;         /* in the round that is being played */
    double in, was_in;      /* chance to be in after this round, and after the one before */
    double out;             /* chance to be out after the round before */
    double over[OVER_MAX];  /* chance to go out in this round with limit + i points */
    double above[OVER_MAX]; /* ... with more */
    double all_over;
} Way;

/* How many turns the player will have made by the end of a round, counted from this one as 1. */
static int turns_after(const Way *way, int round) {
    return round - way->has_moved;
}

static double chance_in(const Independent *model, const Way *way, int turns) {
    int room = model->span - 1 - way->total;
    return room < 0 ? 0 : row_of(model, model->below, turns)[room];
}

/* The chances to go out in this round. */
static void find_over(const Independent *model, Way *way, int turns) {
    int limit = model->rules.limit;
    memset(way->over, 0, sizeof way->over);
    if (turns == 0 && limit > 0 && way->total >= limit) {
        way->over[way->total - limit] = 1;
    } else if (turns > 0 && limit > 0) {
        const double *before = row_of(model, model->sums, turns - 1);
        for (int i = 0; i < model->total; i++)
            for (int t = limit + i - model->total; t < limit; t++)
                if (t >= way->total)
                    way->over[i] += before[t - way->total] * model->score[limit + i - t];
    }
    way->all_over = 0;
    for (int i = model->total - 1; i >= 0; i--) {
        way->above[i] = way->all_over;
        way->all_over += way->over[i];
    }
}

/* Goes on by a round. */
static void way_advance(const Independent *model, Way *way, int round) {
    way->out += way->all_over;
    way->was_in = way->in;
    way->all_over = 0;
    if (way->total == BOX_OUT)
        return;
    int turns = turns_after(way, round);
    way->in = chance_in(model, way, turns);
    find_over(model, way, turns);
}

/* --- who wins --- */

/* The product of all factors but one. */
static double product_of_others(const Independent *model, const double factors[], int me) {
    double product = 1;
    for (int i = 0; i < model->rules.players; i++)
        if (i != me)
            product *= factors[i];
    return product;
}

/* The chances to be out before this round, and after it, for all players. */
typedef struct Outs {
    double before[BOX_PLAYERS_MAX], after[BOX_PLAYERS_MAX];
} Outs;

static Outs find_outs(const Independent *model, const Way ways[]) {
    Outs outs;
    for (int i = 0; i < model->rules.players; i++) {
        outs.before[i] = ways[i].out;
        outs.after[i] = ways[i].out + ways[i].all_over;
    }
    return outs;
}

/* The chance to win this round by shutting the box. Those before the player must not have. */
static double find_shut(const Independent *model, const Way ways[], const Outs *outs, int me,
                        int round) {
    double playing[BOX_PLAYERS_MAX];
    for (int i = 0; i < model->rules.players; i++) {
        bool may_shut = i <= me && !(round == 1 && ways[i].has_moved);
        playing[i] = ways[i].out + ways[i].was_in * (may_shut ? 1 - model->shut : 1);
    }
    if (round == 1 && ways[me].has_moved)
        return 0;
    return ways[me].was_in * model->shut *
           (product_of_others(model, playing, me) - product_of_others(model, outs->before, me));
}

/* The chance to be the lowest of those that go out together in this round, the last ones. */
static double find_last_out(const Independent *model, const Way ways[], const Outs *outs, int me) {
    double sum = 0, before = product_of_others(model, outs->before, me);
    for (int over = 0; over < model->total && ways[me].all_over > 0; over++) {
        double worse[BOX_PLAYERS_MAX];
        for (int i = 0; i < model->rules.players; i++)
            worse[i] = ways[i].out + ways[i].above[over] + ways[i].over[over] / 2;
        sum += ways[me].over[over] * (product_of_others(model, worse, me) - before);
    }
    return sum;
}

/* The chance to be the only one left after this round. */
static double find_survival(const Independent *model, const Way ways[], const Outs *outs, int me) {
    return ways[me].in *
           (product_of_others(model, outs->after, me) - product_of_others(model, outs->before, me));
}

/* The chance that a player who is in after the last round has more than this total; half of the
 * chance to have the same. */
static double chance_above(const Independent *model, const Way *way, int round, int total) {
    int turns = turns_after(way, round), at = total - way->total;
    if (way->total == BOX_OUT || at < 0)
        return way->in;
    return way->in - row_of(model, model->below, turns)[at] +
           row_of(model, model->sums, turns)[at] / 2;
}

/* The chance to be the lowest of those that are in after the last round. */
static double find_lowest(const Independent *model, const Way ways[], const Outs *outs, int me,
                          int round) {
    double sum = 0, before = product_of_others(model, outs->before, me);
    if (ways[me].total == BOX_OUT)
        return 0;
    const double *mine = row_of(model, model->sums, turns_after(&ways[me], round));
    for (int total = ways[me].total; total < model->span; total++) {
        double worse[BOX_PLAYERS_MAX], chance = mine[total - ways[me].total];
        for (int i = 0; i < model->rules.players && chance > 0; i++)
            worse[i] = outs->after[i] + chance_above(model, &ways[i], round, total);
        if (chance > 0)
            sum += chance * (product_of_others(model, worse, me) - before);
    }
    return sum;
}

/* The chance that the game goes on after this round: nobody has shut the box, and two are in. */
static double goes_on(const Independent *model, const Way ways[], const Outs *outs) {
    double all = 1, none = 1, one = 0;
    for (int i = 0; i < model->rules.players; i++) {
        all *= ways[i].in + outs->after[i];
        none *= outs->after[i];
        one += ways[i].in * product_of_others(model, outs->after, i);
    }
    return all - none - one;
}

void independent_estimate(const Independent *model, int round, int player, const int totals[],
                          double values[]) {
    static const double NEGLIGIBLE = 1e-9;
    const int players = model->rules.players;
    int left = model->rules.rounds > 0 ? model->rules.rounds - round : model->horizon;
    Way ways[BOX_PLAYERS_MAX];
    double sum = 0;
    for (int i = 0; i < players; i++) {
        bool is_in = totals[i] != BOX_OUT;
        ways[i] = (Way){.total = totals[i], .has_moved = i < player, .in = is_in, .out = !is_in};
        values[i] = 0;
    }
    for (int r = 1; r <= left; r++) {
        for (int i = 0; i < players; i++)
            way_advance(model, &ways[i], r);
        Outs outs = find_outs(model, ways);
        bool is_last = r == left && model->rules.rounds > 0;
        for (int i = 0; i < players; i++)
            values[i] += find_shut(model, ways, &outs, i, r) +
                         find_last_out(model, ways, &outs, i) +
                         (is_last ? find_lowest(model, ways, &outs, i, r)
                                  : find_survival(model, ways, &outs, i));
        if (goes_on(model, ways, &outs) < NEGLIGIBLE)
            break;
    }
    for (int i = 0; i < players; i++)
        sum += values[i] = values[i] > 0 ? values[i] : 0;
    for (int i = 0; i < players; i++)
        values[i] = sum > 0 ? values[i] / sum : 1.0 / players;
}
