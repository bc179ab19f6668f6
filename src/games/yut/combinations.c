/* Which combinations of rule options are refused.
 *
 * A game ends with probability one if a piece can come home from every square it can get to: there
 * are finitely many positions, and each of them leads to the end by some throws and moves. Traps,
 * odds and the finish can take that away, so the squares are searched.
 */
#include "games/yut/yut.h"

/* The squares that a piece on `square` can come to with one result, as a bit set. */
static uint32_t find_next(const YutRules *rules, int player,
                          const uint64_t weights[YUT_RESULTS + 1], int square) {
    uint32_t next = 0;
    for (int result = 0; result < YUT_RESULTS; result++) {
        /* With nothing on the board, a back-do is played on the start. */
        bool is_empty = square == 0 && result == YUT_BACK_DO;
        int ways = is_empty ? 1 : yut_ways(rules, player, square, (YutResult)result);
        for (int way = 0; way < ways && weights[result] > 0; way++) {
            int stop = yut_stop(rules, player, square, (YutResult)result, way > 0);
            next |= 1u << (rules->traps >> stop & 1 ? 0 : stop);
        }
    }
    return next;
}

/* Whether a piece of the player can come home from every square that it can get to. */
static bool can_come_home(const YutRules *rules, int player) {
    uint64_t weights[YUT_RESULTS + 1];
    uint32_t next[YUT_SQUARES] = {0}, reached = 1, arriving = 1u << YUT_ARRIVED;
    yut_weights(rules, weights);
    for (int square = 0; square < YUT_ARRIVED; square++)
        if (yut_can_stand(rules, player, square))
            next[square] = find_next(rules, player, weights, square);
    for (int round = 0; round < YUT_SQUARES; round++) { /* no path is longer */
        for (int square = 0; square < YUT_ARRIVED; square++) {
            if (reached >> square & 1)
                reached |= next[square];
            if (next[square] & arriving)
                arriving |= 1u << square;
        }
    }
    return (reached & ~arriving) == 0;
}

static Status check_end(const YutRules *rules) {
    for (int player = 0; player < rules->players; player++)
        if (!can_come_home(rules, player))
            return status_make(
                STATUS_UNSUPPORTED,
                "no piece of player %d could ever come home, so the game would never "
                "end",
                player);
    return status_ok();
}

static Status check_odds(const YutRules *rules) {
    uint64_t weights[YUT_RESULTS + 1];
    uint64_t ends = rules->odds[YUT_BACK_DO] + rules->odds[YUT_DO] + rules->odds[YUT_GAE];
    if (ends == 0)
        return status_make(STATUS_UNSUPPORTED,
                           "--odds: some throw other than geol, yut and mo must be possible, or a "
                           "turn might never end");
    if (rules->marked == YUT_MARKED_MAX && rules->odds[YUT_DO] < rules->odds[YUT_BACK_DO])
        return status_make(STATUS_UNSUPPORTED,
                           "--marked 2 makes back-do twice as likely at the expense of do, but "
                           "--odds has less do than back-do");
    if (yut_weights(rules, weights) == 0)
        return status_make(STATUS_UNSUPPORTED,
                           "--nak: the odds have too many digits to be multiplied exactly; fewer "
                           "digits in --nak, --bias or --odds would do");
    return status_ok();
}

static Status check_teams(const YutRules *rules) {
    if (rules->teams && rules->players != 4)
        return status_make(STATUS_UNSUPPORTED, "--teams: expected --players 4, not %d",
                           rules->players);
    /* A stack of both could leave the cow's route. */
    for (int i = 0; i < 2; i++)
        if (rules->teams && (rules->animals[i] == YUT_COW) != (rules->animals[i + 2] == YUT_COW))
            return status_make(STATUS_UNSUPPORTED,
                               "--teams: partners move together, so expected both or neither of "
                               "players %d and %d to be a cow",
                               i, i + 2);
    return status_ok();
}

/* Where 29 is home, no piece stops on it. */
static Status check_traps(const YutRules *rules) {
    bool last = rules->traps >> YUT_LAST & 1;
    if (last && rules->finish == YUT_FINISH_REACH)
        return status_make(STATUS_UNSUPPORTED,
                           "--traps: 29 cannot be a trap with --finish reach, where it is home");
    return status_ok();
}

Status yut_rules_check(const Rules *rules) {
    YutRules yut = yut_rules(rules);
    for (int i = yut.players; i < YUT_PLAYERS_MAX; i++)
        if (yut.animals[i] != YUT_NO_ANIMAL)
            return status_make(STATUS_USAGE, "--animals: more letters than players (%d)",
                               yut.players);
    Status status = check_odds(&yut);
    if (status_is_ok(&status))
        status = check_teams(&yut);
    if (status_is_ok(&status))
        status = check_traps(&yut);
    return status_is_ok(&status) ? check_end(&yut) : status;
}
