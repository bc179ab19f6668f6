#include "games/yut/solve/pending.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

int pending_catch_throws(const YutRules *rules, int player) {
    int most = 0;
    for (int result = 0; result < YUT_RESULTS; result++) {
        int throws = yut_catch_throws(rules, player, (YutResult)result);
        most = throws > most ? throws : most;
    }
    return most;
}

/* Which results are quiet, and by how many lasts a catch lengthens the list: if only lasts give
 * throws, each throw costs a last. */
static void find_quiet(Pending *pending, const YutRules *rules) {
    bool is_extra[YUT_RESULTS];
    double chances[YUT_RESULTS];
    lists_find_chances(rules, pending->player, chances, is_extra);
    pending->gain = pending->throws > 0 ? pending->throws - 1 : 0;
    for (int result = 0; result < YUT_RESULTS; result++) {
        pending->is_quiet[result] =
            yut_catch_throws(rules, pending->player, (YutResult)result) == 0;
        if (is_extra[result] && !pending->is_quiet[result])
            pending->gain = pending->throws;
    }
}

int pending_lasts(const Pending *pending, int waiting) {
    return 1 + pending->gain * waiting;
}

bool pending_is_kept(const Pending *pending, int list) {
    return pending->lists.lists[list].pending == list;
}

static size_t lines_of(uint32_t sides) {
    return (sides + LANES - 1) / LANES;
}

/* Bytes of a row of throw[list]. */
static size_t row_bytes(const Pending *pending, int list) {
    return lines_of(pending->placements->count) * LANES * LANES * pending->widths[list];
}

/* The fewest extras that can have been thrown when a catch leaves the list pending. If a catch
 * gives one throw, each last that is left means that an extra was played for a catch instead of
 * it. */
static int extras_thrown(const Pending *pending, const ResultList *list) {
    return list->extras + (pending->throws == 1 ? list->lasts : 0);
}

/* Chooses the fewest bytes such that the dropped part, times the chance of a list as rare as this
 * one or rarer, is at most a share of `rare`: all of it for two bytes, half for one, a quarter for
 * three. */
static void find_widths(Pending *pending, double again, double rare) {
    static const double shares[PACKED_WIDTH_MAX] = {0, 0.5, 1, 0.25};
    for (int i = 0; i < pending->lists.count; i++) {
        double chance = pow(again, extras_thrown(pending, &pending->lists.lists[i])) / (1 - again);
        int width = 1;
        while (width < PACKED_WIDTH_MAX &&
               chance * (1 << packed_dropped_bits(width)) > rare * shares[width])
            width++;
        pending->widths[i] = (uint8_t)width;
    }
}

/* The fewest extras that can have been thrown when a list is played. If a catch gives one throw,
 * each last beyond the first means that an extra was played for a catch. */
static int rarity(const ResultList *list) {
    return list->extras + (list->lasts > 1 ? list->lasts - 1 : 0);
}

/* Narrow numbers start one extra beyond the point where two bytes suffice for pending lists, so
 * they lose only a fraction of what is lost there. If a catch gives two throws or ends the turn,
 * nothing is narrow. */
static void find_narrow(Pending *pending, const YutRules *rules, double again, double rare) {
    bool is_plain =
        pending->throws <= 1 && rules->animals[0] != YUT_PIG && rules->animals[1] != YUT_PIG;
    double chance = 1 / (1 - again);
    pending->narrow_from = is_plain ? 1 : INT_MAX;
    while (pending->narrow_from < LISTS_EXTRAS_MAX &&
           chance * (1 << packed_dropped_bits(PACKED_NARROW)) > rare) {
        chance *= again;
        pending->narrow_from++;
    }
}

bool pending_plays_narrow(const Pending *pending, int list) {
    return rarity(&pending->lists.lists[list]) >= pending->narrow_from;
}

bool pending_throws_narrow(const Pending *pending, int list) {
    return extras_thrown(pending, &pending->lists.lists[list]) >= pending->narrow_from;
}

bool pending_has_copy(const Pending *pending, int list) {
    /* A nak that loses the turn leads from every list to the empty one. */
    if (list == 0 && pending->nak > 0 && pending->nak_loses_turn)
        return true;
    return rarity(&pending->lists.lists[list]) + 1 == pending->narrow_from;
}

bool pending_is_read(const Pending *pending, int list, bool quietly) {
    const ResultLists *lists = &pending->lists;
    for (int result = 0; result < YUT_RESULTS; result++)
        if (pending->is_quiet[result] == quietly && lists->lists[list].with[result] >= 0)
            return true;
    return false;
}

/* The number of narrow rows that one row of play[L] takes in a workspace. */
static int rows_for_one(const Pending *pending, int list) {
    return pending_plays_narrow(pending, list) ? 1 : pending_has_copy(pending, list) ? 3 : 2;
}

size_t pending_quiet_offset(const Pending *pending, int list) {
    bool has_both = pending_is_read(pending, list, true) && pending_is_read(pending, list, false);
    return has_both ? (size_t)rows_for_one(pending, list) : 0;
}

/* The number of narrow rows that play[L] and throw[L] take in a workspace. */
static int rows_to_play(const Pending *pending, int list) {
    return rows_for_one(pending, list) + (int)pending_quiet_offset(pending, list);
}

static int rows_to_throw(const Pending *pending, int list) {
    return pending_throws_narrow(pending, list) ? 1 : 2;
}

/* Reserves `rows` narrow rows if the row is there. Returns its rank, or -1. */
static int32_t take_rows(bool is_there, int rows, int32_t *used) {
    if (!is_there)
        return -1;
    *used += rows;
    return *used - rows;
}

static bool is_played(const Pending *pending, const ResultList *list, int waiting) {
    return list->lasts <= pending_lasts(pending, waiting);
}

static bool is_thrown(const Pending *pending, const ResultList *list, int waiting) {
    return list->lasts < pending_lasts(pending, waiting) &&
           lists_has_room(&pending->lists, list, 1);
}

/* Whether throw[list] is stored for lines whose first placement has `waiting` pieces at the start.
 * With nothing pending and one throw due it is not: the table of values has it. */
static bool has_row(const Pending *pending, int list, int waiting) {
    return waiting > 0 && pending->throws > 0 && pending_is_kept(pending, list) &&
           !(list == 0 && pending->throws == 1) &&
           pending->lists.lists[list].lasts <= pending_lasts(pending, waiting) - pending->throws;
}

/* The same for play[list]. With nothing pending, the turn is over: the table has that, too. */
static bool has_quiet_row(const Pending *pending, int list, int waiting) {
    if (waiting == 0 || list == 0)
        return false;
    for (int result = 0; result < YUT_RESULTS; result++) {
        int before = pending->lists.lists[list].with[result];
        if (pending->is_quiet[result] && before >= 0 &&
            is_played(pending, &pending->lists.lists[before], waiting - 1))
            return true;
    }
    return false;
}

/* Reserves room for a row in a line if it is there. Returns its offset, or SIZE_MAX. */
static size_t take_bytes(bool is_there, size_t bytes, size_t *used) {
    if (!is_there)
        return SIZE_MAX;
    *used += bytes;
    return *used - bytes;
}

static void find_rows(Pending *pending) {
    size_t count = (size_t)pending->lists.count;
    for (int waiting = 0; waiting <= pending->placements->pieces; waiting++) {
        int32_t play = 0, throw = 0;
        size_t at = 0;
        for (size_t i = 0; i < count; i++) {
            const ResultList *list = &pending->lists.lists[i];
            size_t place = (size_t)waiting * count + i;
            size_t bytes = row_bytes(pending, (int)i);
            pending->play_rank[place] =
                take_rows(is_played(pending, list, waiting), rows_to_play(pending, (int)i), &play);
            pending->throw_rank[place] = take_rows(is_thrown(pending, list, waiting),
                                                   rows_to_throw(pending, (int)i), &throw);
            pending->row_at[place] = take_bytes(has_row(pending, (int)i, waiting), bytes, &at);
            pending->quiet_row_at[place] =
                take_bytes(has_quiet_row(pending, (int)i, waiting), bytes, &at);
        }
    }
}

/* The most pieces at the start of any placement in a line. Its first placement has them. */
static int waiting_of_line(const Pending *pending, size_t line) {
    return pending->placements->waiting[line * LANES];
}

static size_t line_bytes(const Pending *pending, int waiting) {
    size_t bytes = 0;
    for (int list = 0; list < pending->lists.count; list++)
        bytes += row_bytes(pending, list) * ((size_t)has_row(pending, list, waiting) +
                                             (size_t)has_quiet_row(pending, list, waiting));
    return bytes;
}

static void find_lines(Pending *pending) {
    size_t at = 0, lines = lines_of(pending->placements->with_waiting[1]);
    for (size_t line = 0; line <= lines; line++) {
        pending->line_at[line] = at;
        if (line < lines)
            at += line_bytes(pending, waiting_of_line(pending, line));
    }
}

Status pending_open(const YutRules *rules, int player, const Placements *placements, int extras,
                    double rare, Pending *pending) {
    *pending = (Pending){.player = player,
                         .throws = pending_catch_throws(rules, player),
                         .nak = lists_nak(rules),
                         .nak_loses_turn = rules->nak_loses_turn,
                         .placements = placements};
    find_quiet(pending, rules);
    Status status = lists_open(rules, player, extras, pending_lasts(pending, placements->pieces),
                               pending->throws, &pending->lists);
    if (!status_is_ok(&status))
        return status;
    size_t ranks = (size_t)(placements->pieces + 1) * (size_t)pending->lists.count;
    pending->widths = malloc((size_t)pending->lists.count);
    pending->line_at =
        malloc((lines_of(placements->with_waiting[1]) + 1) * sizeof *pending->line_at);
    pending->row_at = malloc(ranks * sizeof *pending->row_at);
    pending->quiet_row_at = malloc(ranks * sizeof *pending->quiet_row_at);
    pending->play_rank = malloc(ranks * sizeof *pending->play_rank);
    pending->throw_rank = malloc(ranks * sizeof *pending->throw_rank);
    if (!pending->widths || !pending->line_at || !pending->row_at || !pending->quiet_row_at ||
        !pending->play_rank || !pending->throw_rank) {
        pending_close(pending);
        return status_make(STATUS_FAILED, "out of memory");
    }
    find_widths(pending, lists_again(rules, player), rare);
    find_narrow(pending, rules, lists_again(rules, player), rare);
    find_rows(pending);
    find_lines(pending);
    return status;
}

void pending_close(Pending *pending) {
    grid_close(&pending->grid);
    free(pending->widths);
    free(pending->line_at);
    free(pending->row_at);
    free(pending->quiet_row_at);
    free(pending->play_rank);
    free(pending->throw_rank);
    lists_close(&pending->lists);
    *pending = (Pending){.placements = NULL};
}

size_t pending_bytes(const Pending *pending) {
    return pending->line_at[lines_of(pending->placements->with_waiting[1])];
}

bool pending_open_grid(Pending *pending, const char *scratch) {
    return grid_open(&pending->grid, pending_bytes(pending), scratch);
}

/* The offset of a list's row against a line, by one of the tables of offsets; SIZE_MAX: nothing is
 * stored. */
static size_t find_row(const Pending *pending, const size_t *row_at, int list, uint32_t line) {
    size_t waiting = (size_t)waiting_of_line(pending, line);
    size_t at = row_at[waiting * (size_t)pending->lists.count + (size_t)list];
    return at == SIZE_MAX ? at : pending->line_at[line] + at;
}

uint32_t pending_rounding(PendingRounding rounding, int width) {
    uint32_t step = (uint32_t)1 << packed_dropped_bits(width);
    return rounding == PENDING_NEAREST ? step / 2 : rounding == PENDING_UP ? step - 1 : 0;
}

static void keep_row(const Pending *pending, size_t at, int width, PackedLanes lanes,
                     PackedCells cells, PendingRounding rounding) {
    if (at != SIZE_MAX)
        packed_keep((uint8_t *)pending->grid.bytes + at, width, lanes, cells,
                    pending->placements->count, pending_rounding(rounding, width));
}

void pending_keep(const Pending *pending, int list, uint32_t line, PackedLanes lanes,
                  PackedCells cells, PendingRounding rounding) {
    keep_row(pending, find_row(pending, pending->row_at, list, line), pending->widths[list], lanes,
             cells, rounding);
}

void pending_keep_quiet(const Pending *pending, int list, uint32_t line, PackedLanes lanes,
                        PackedCells cells, PendingRounding rounding) {
    keep_row(pending, find_row(pending, pending->quiet_row_at, list, line), pending->widths[list],
             lanes, cells, rounding);
}

static const uint8_t *row_at(const Pending *pending, size_t at) {
    return at == SIZE_MAX ? NULL : (const uint8_t *)pending->grid.bytes + at;
}

const uint8_t *pending_row(const Pending *pending, int list, uint32_t line) {
    return row_at(pending, find_row(pending, pending->row_at, list, line));
}

const uint8_t *pending_quiet_row(const Pending *pending, int list, uint32_t line) {
    return row_at(pending, find_row(pending, pending->quiet_row_at, list, line));
}

void pending_prefetch(const Pending *pending, uint32_t line) {
    size_t at = pending->line_at[line];
    grid_prefetch((char *)pending->grid.bytes + at, pending->line_at[line + 1] - at);
}

void pending_count_rows(const Pending *pending, int waiting, size_t *played, size_t *thrown) {
    *played = *thrown = 0;
    for (int i = 0; i < pending->lists.count; i++) {
        const ResultList *list = &pending->lists.lists[i];
        if (is_played(pending, list, waiting))
            *played += (size_t)rows_to_play(pending, i);
        if (is_thrown(pending, list, waiting))
            *thrown += (size_t)rows_to_throw(pending, i);
    }
}
