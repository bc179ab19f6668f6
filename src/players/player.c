#include "players/player.h"

#include <stdio.h>
#include <string.h>

static const char *const expectimax_levels[] = {"1", "2", NULL};
static const char *const minimax_levels[] = {"1", "2", "3", "4", NULL};
static const char *const alphabeta_levels[] = {"1", "2", "4", "6", "200ms", "1s", NULL};

static const PlayerKind kinds[] = {
    {.name = "you", .about = {{"a person, asked for every move", "사람, 수마다 묻습니다"}}},
    {.name = "random",
     .is_instant = true,
     .about = {{"a random legal move", "둘 수 있는 수 가운데 아무거나"}},
     .open = player_random_open},
    {.name = "greedy",
     .is_instant = true,
     .about = {{"the move that looks best, one move ahead",
                "한 수만 내다보고 가장 좋아 보이는 수"}},
     .supports = player_greedy_supports,
     .open = player_greedy_open},
    {.name = "expectimax",
     .setting = "T",
     .levels = expectimax_levels,
     .about = {{"searches to the end of its turn, or T turns deep (1); plain: without learning",
                "자기 차례가 끝날 때까지, 또는 T차례 앞까지 내다봅니다 (1); plain: 학습 없이"}},
     .check = player_expectimax_check,
     .supports = player_expectimax_supports,
     .open = player_expectimax_open},
    {.name = "minimax",
     .setting = "D",
     .levels = minimax_levels,
     .about = {{"plain minimax, D moves deep (3)", "단순 미니맥스로 D수 앞까지 봅니다 (3)"}},
     .check = player_minimax_check,
     .supports = player_minimax_supports,
     .open = player_minimax_open},
    {.name = "alphabeta",
     .setting = "D or TIME",
     .levels = alphabeta_levels,
     .about = {{"searches D moves deep, or for TIME per move (1s)",
                "D수 앞까지, 또는 TIME 동안 볼 수 있는 만큼 봅니다 (1s)"}},
     .check = player_alphabeta_check,
     .supports = player_alphabeta_supports,
     .open = player_alphabeta_open},
    {.name = "easy",
     .may_use_solver = true,
     .about = {{"for beginners: often picks a weaker move", "쉬움: 덜 좋은 수를 자주 둡니다"}},
     .open = player_easy_open},
    {.name = "normal",
     .may_use_solver = true,
     .about = {{"sometimes picks a weaker move", "보통: 덜 좋은 수를 가끔 둡니다"}},
     .open = player_normal_open},
    {.name = "strong",
     .may_use_solver = true,
     .about = {{"rarely picks a weaker move", "강함: 덜 좋은 수를 거의 두지 않습니다"}},
     .open = player_strong_open},
    {.name = "best",
     .may_use_solver = true,
     .about = {{"exact where possible, else its best search or estimate",
                "최강: 정확한 값이나 가장 깊은 탐색·추정으로 둡니다"}},
     .open = player_best_open},
    {.name = "perfect",
     .about = {{"the best move, by exact values", "정확한 값으로 고른 최선의 수"}},
     .uses_solver = true,
     .open = player_perfect_open},
};

size_t player_kind_count(void) {
    return sizeof kinds / sizeof kinds[0];
}

const PlayerKind *player_kind_at(size_t index) {
    return &kinds[index];
}

static Status find_kind(const char *name, const PlayerKind **kind) {
    const char *names[sizeof kinds / sizeof kinds[0]];
    for (size_t i = 0; i < player_kind_count(); i++) {
        names[i] = kinds[i].name;
        if (strcmp(name, names[i]) == 0) {
            *kind = &kinds[i];
            return status_ok();
        }
    }
    char hint[GAME_TEXT_BYTES];
    Text text = text_over(hint, sizeof hint);
    text_add(&text, "expected ");
    for (size_t i = 0; i < player_kind_count(); i++)
        text_addf(&text, "%s%s",
                  i == 0                        ? ""
                  : i + 1 < player_kind_count() ? ", "
                                                : " or ",
                  names[i]);
    return options_unknown("player", name, names, player_kind_count(), hint);
}

Status seat_parse(const char *text, Seat *seat) {
    char name[64];
    const char *colon = strchr(text, ':');
    size_t length = colon ? (size_t)(colon - text) : strlen(text);
    snprintf(name, sizeof name, "%.*s", length < sizeof name ? (int)length : (int)sizeof name - 1,
             text);
    *seat = (Seat){.kind = NULL};
    Status status = find_kind(name, &seat->kind);
    if (!status_is_ok(&status) || !colon)
        return status;
    if (!seat->kind->check)
        return status_make(STATUS_USAGE, "%s takes no setting: expected %s alone, not %s", name,
                           name, quote(text).text);
    if (strlen(colon + 1) >= sizeof seat->setting)
        return status_make(STATUS_USAGE, "%s: expected %s after the colon, not %s", name,
                           seat->kind->setting, quote(colon + 1).text);
    status = seat->kind->check(colon + 1);
    if (status_is_ok(&status))
        memcpy(seat->setting, colon + 1, strlen(colon + 1) + 1);
    return status;
}

void seat_print(const Seat *seat, Text *text) {
    text_addf(text, "%s%s%s", seat->kind->name, seat->setting[0] ? ":" : "", seat->setting);
}

Status seat_open(const Seat *seat, const Variant *variant, const SolveLimits *limits,
                 Solver **shared, Player **player) {
    Status status = seat->kind->supports ? seat->kind->supports(variant) : status_ok();
    return status_is_ok(&status) ? seat->kind->open(variant, limits, seat->setting, shared, player)
                                 : status;
}
