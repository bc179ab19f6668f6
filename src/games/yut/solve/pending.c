#include "games/yut/solve/pending.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

int pending_catch_throws(const YutRules *rules, int player) {
    return rules->animals[player] == YUT_SHEEP ? 2 : 1;
}

int pending_lasts(const Pending *pending, int waiting) {
    return 1 + pending->throws * waiting;
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
        pending->throws == 1 && rules->animals[0] != YUT_PIG && rules->animals[1] != YUT_PIG;
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
    return rarity(&pending->lists.lists[list]) + 1 == pending->narrow_from;
}

/* The number of narrow rows that play[L] and throw[L] take in a workspace. */
static int rows_to_play(const Pending *pending, int list) {
    return pending_plays_narrow(pending, list) ? 1 : pending_has_copy(pending, list) ? 3 : 2;
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
    return waiting > 0 && pending_is_kept(pending, list) && !(list == 0 && pending->throws == 1) &&
           pending->lists.lists[list].lasts <= pending_lasts(pending, waiting) - pending->throws;
}

static void find_rows(Pending *pending) {
    size_t count = (size_t)pending->lists.count;
    for (int waiting = 0; waiting <= pending->placements->pieces; waiting++) {
        int32_t play = 0, throw = 0;
        size_t at = 0;
        for (size_t i = 0; i < count; i++) {
            const ResultList *list = &pending->lists.lists[i];
            size_t place = (size_t)waiting * count + i;
            bool kept = has_row(pending, (int)i, waiting);
            pending->play_rank[place] =
                take_rows(is_played(pending, list, waiting), rows_to_play(pending, (int)i), &play);
            pending->throw_rank[place] = take_rows(is_thrown(pending, list, waiting),
                                                   rows_to_throw(pending, (int)i), &throw);
            pending->row_at[place] = kept ? at : SIZE_MAX;
            if (kept)
                at += row_bytes(pending, (int)i);
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
        if (has_row(pending, list, waiting))
            bytes += row_bytes(pending, list);
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
    *pending = (Pending){
        .player = player, .throws = pending_catch_throws(rules, player), .placements = placements};
    Status status = lists_open(rules, player, extras, 1 + pending->throws * placements->pieces,
                               pending->throws, &pending->lists);
    if (!status_is_ok(&status))
        return status;
    size_t ranks = (size_t)(placements->pieces + 1) * (size_t)pending->lists.count;
    pending->widths = malloc((size_t)pending->lists.count);
    pending->line_at =
        malloc((lines_of(placements->with_waiting[1]) + 1) * sizeof *pending->line_at);
    pending->row_at = malloc(ranks * sizeof *pending->row_at);
    pending->play_rank = malloc(ranks * sizeof *pending->play_rank);
    pending->throw_rank = malloc(ranks * sizeof *pending->throw_rank);
    if (!pending->widths || !pending->line_at || !pending->row_at || !pending->play_rank ||
        !pending->throw_rank) {
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

/* The offset of the row of throw[list] against a line; SIZE_MAX: nothing is stored. */
static size_t find_row(const Pending *pending, int list, uint32_t line) {
    size_t waiting = (size_t)waiting_of_line(pending, line);
    size_t at = pending->row_at[waiting * (size_t)pending->lists.count + (size_t)list];
    return at == SIZE_MAX ? at : pending->line_at[line] + at;
}

uint32_t pending_rounding(PendingRounding rounding, int width) {
    uint32_t step = (uint32_t)1 << packed_dropped_bits(width);
    return rounding == PENDING_NEAREST ? step / 2 : rounding == PENDING_UP ? step - 1 : 0;
}

void pending_keep(const Pending *pending, int list, uint32_t line, PackedLanes lanes,
                  PackedCells cells, PendingRounding rounding) {
    size_t at = find_row(pending, list, line);
    int width = pending->widths[list];
    if (at != SIZE_MAX)
        packed_keep((uint8_t *)pending->grid.bytes + at, width, lanes, cells,
                    pending->placements->count, pending_rounding(rounding, width));
}

const uint8_t *pending_row(const Pending *pending, int list, uint32_t line) {
    size_t at = find_row(pending, list, line);
    return at == SIZE_MAX ? NULL : (const uint8_t *)pending->grid.bytes + at;
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
