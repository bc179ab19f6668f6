#include "games/yut/net/learned_rules.h"

#include <math.h>

#include "base/fraction.h"

/* What an option other than the odds counts for: little, as measured by the errors of lookaheads
 * with two pieces each. The network of the usual rules is off by 0.0043 under them, 0.0051 with
 * `--catch-bonus weak`, 0.0077 with `--bias 0.55` (0.08 from the usual odds) and 0.0115 with those
 * of `korean` (0.16). That of `korean` is off by 0.0080 with `--bias 0.55`, and by 0.0077 instead
 * of 0.0096 with `--bias 0.57`. */
#define OPTION_DISTANCE 0.005

enum { NAK_AT = 12, TRAPS_AT = 14, OPTIONS_AT = 18, FLAGS_AT = 22, MARK_AT = 23 };

enum { LOSES_TURN = 1, SHORT_CUT = 2, CENTRE = 4, STACK = 8, NO_BACK = 16, FLAGS_END = 32 };

static YutRules usual_rules(void) {
    Rules usual = yut_rules_default();
    YutRules rules = yut_rules(&usual);
    rules.players = 2;
    rules.pieces = YUT_PIECES_MAX;
    return rules;
}

/* Makes the weights small enough for 16 bits each, exactly if possible. */
static void reduce_odds(const uint64_t odds[YUT_RESULTS], uint16_t reduced[YUT_RESULTS]) {
    uint64_t divisor = 0, largest = 0;
    for (int i = 0; i < YUT_RESULTS; i++) {
        divisor = fraction_divisor(odds[i], divisor);
        largest = odds[i] > largest ? odds[i] : largest;
    }
    for (int i = 0; i < YUT_RESULTS; i++)
        reduced[i] = largest / divisor <= UINT16_MAX
                         ? (uint16_t)(odds[i] / divisor)
                         : (uint16_t)lround((double)odds[i] / (double)largest * UINT16_MAX);
}

static void pack_all(const YutRules *rules, LearnedRules *learned) {
    unsigned char *at = learned->bytes;
    uint16_t odds[YUT_RESULTS];
    reduce_odds(rules->odds, odds);
    memcpy(at, odds, sizeof odds);
    memcpy(at + NAK_AT, &rules->nak, sizeof rules->nak);
    memcpy(at + TRAPS_AT, &rules->traps, sizeof rules->traps);
    at[OPTIONS_AT] = rules->marked;
    at[OPTIONS_AT + 1] = rules->catch_bonus;
    at[OPTIONS_AT + 2] = rules->finish;
    at[OPTIONS_AT + 3] = rules->empty_back_do;
    at[FLAGS_AT] =
        (unsigned char)((rules->nak_loses_turn ? LOSES_TURN : 0) |
                        (rules->short_cut_may ? SHORT_CUT : 0) | (rules->centre_may ? CENTRE : 0) |
                        (rules->centre_stack ? STACK : 0) | (rules->no_back_from_1 ? NO_BACK : 0));
    at[MARK_AT] = 1;
}

LearnedRules learned_rules_pack(const YutRules *rules) {
    YutRules usual = usual_rules();
    LearnedRules learned = {{0}}, of_usual = {{0}};
    pack_all(rules, &learned);
    pack_all(&usual, &of_usual);
    return memcmp(&learned, &of_usual, sizeof learned) == 0 ? (LearnedRules){{0}} : learned;
}

bool learned_rules_are_usual(const LearnedRules *learned) {
    static const LearnedRules none = {{0}};
    return memcmp(learned, &none, sizeof none) == 0;
}

bool learned_rules_unpack(const LearnedRules *learned, YutRules *rules) {
    const unsigned char *at = learned->bytes;
    uint16_t odds[YUT_RESULTS];
    *rules = usual_rules();
    if (learned_rules_are_usual(learned))
        return true;
    memcpy(odds, at, sizeof odds);
    for (int i = 0; i < YUT_RESULTS; i++)
        rules->odds[i] = odds[i];
    memcpy(&rules->nak, at + NAK_AT, sizeof rules->nak);
    memcpy(&rules->traps, at + TRAPS_AT, sizeof rules->traps);
    rules->marked = at[OPTIONS_AT];
    rules->catch_bonus = at[OPTIONS_AT + 1];
    rules->finish = at[OPTIONS_AT + 2];
    rules->empty_back_do = at[OPTIONS_AT + 3];
    rules->nak_loses_turn = (at[FLAGS_AT] & LOSES_TURN) != 0;
    rules->short_cut_may = (at[FLAGS_AT] & SHORT_CUT) != 0;
    rules->centre_may = (at[FLAGS_AT] & CENTRE) != 0;
    rules->centre_stack = (at[FLAGS_AT] & STACK) != 0;
    rules->no_back_from_1 = (at[FLAGS_AT] & NO_BACK) != 0;
    uint64_t weights[YUT_RESULTS + 1];
    return at[MARK_AT] == 1 && at[FLAGS_AT] < FLAGS_END && rules->marked <= YUT_MARKED_MAX &&
           rules->nak < YUT_NAK_WHOLE && rules->catch_bonus <= YUT_BONUS_NEVER &&
           rules->finish <= YUT_FINISH_SHORT && rules->empty_back_do <= YUT_EMPTY_ENTER &&
           yut_weights(rules, weights) > 0;
}

/* The chance that a throw differs, if the two are as alike as they can be. */
static double throw_distance(const YutRules *a, const YutRules *b) {
    uint64_t of_a[YUT_RESULTS + 1], of_b[YUT_RESULTS + 1];
    double whole_a = (double)yut_weights(a, of_a), whole_b = (double)yut_weights(b, of_b);
    double distance = 0;
    for (int i = 0; i <= YUT_RESULTS; i++)
        distance += fabs((double)of_a[i] / whole_a - (double)of_b[i] / whole_b) / 2;
    return distance;
}

double learned_rules_distance(const YutRules *a, const YutRules *b) {
    bool loses_turn_a = a->nak > 0 && a->nak_loses_turn;
    bool loses_turn_b = b->nak > 0 && b->nak_loses_turn;
    int options = (a->traps != b->traps) + (a->catch_bonus != b->catch_bonus) +
                  (a->finish != b->finish) + (a->empty_back_do != b->empty_back_do) +
                  (loses_turn_a != loses_turn_b) + (a->short_cut_may != b->short_cut_may) +
                  (a->centre_may != b->centre_may) + (a->centre_stack != b->centre_stack) +
                  (a->no_back_from_1 != b->no_back_from_1);
    return throw_distance(a, b) + OPTION_DISTANCE * options;
}
