/* The rules that a network has learned, as its file states them, and how far other rules are from
 * them.
 *
 * Only what both players share counts: the number of pieces, players and animals do not. The 24
 * bytes are all zero for the usual rules, otherwise, little-endian:
 *
 *     0   uint16[6]  weights of the results, in lowest terms (rounded, if they are large)
 *     12  uint16     the chance of a nak, in parts of YUT_NAK_WHOLE
 *     14  uint32     traps, bit q: square q
 *     18  uint8[4]   marked sticks, YutCatchBonus, YutFinish, YutEmptyBackDo
 *     22  uint8      flags: 1 a nak loses the turn, 2 short cuts by choice, 4 the centre by choice,
 *                    8 the centre stacks, 16 no back-do from 1
 *     23  uint8      1
 *
 * Worked example: `--preset korean` is 24 72 216 216 81 16, no nak, no traps, 1 marked stick, a
 * weak catch bonus, and no flags.
 *
 * Thread safety: functions without shared state.
 */
#ifndef MALPAN_GAMES_YUT_NET_LEARNED_RULES_H
#define MALPAN_GAMES_YUT_NET_LEARNED_RULES_H

#include "games/yut/yut.h"

enum { LEARNED_RULES_BYTES = 24 };

typedef struct LearnedRules {
    unsigned char bytes[LEARNED_RULES_BYTES];
} LearnedRules;

/* Equal bytes mean equal play, but for weights that had to be rounded. */
LearnedRules learned_rules_pack(const YutRules *rules);

bool learned_rules_are_usual(const LearnedRules *learned);

/* The rules of these bytes, for two players with YUT_PIECES_MAX pieces each. False if no rules have
 * them. */
bool learned_rules_unpack(const LearnedRules *learned, YutRules *rules);

/* How different play is under two sets of rules: the chance that a throw differs, and a little for
 * each other option that does. */
double learned_rules_distance(const YutRules *a, const YutRules *b);

#endif
