#include "players/player.h"

#include <string.h>

static const PlayerKind kinds[] = {
    {"you", {{"a person, asked for every move", "사람, 수마다 묻습니다"}}, NULL},
    {"random",
     {{"any legal move, each as likely", "둘 수 있는 수 가운데 아무거나"}},
     player_random_open},
    {"greedy", {{"the move that looks best at once", "바로 좋아 보이는 수"}}, player_greedy_open},
    {"expectimax",
     {{"looks to the end of its turn", "자기 차례가 끝날 때까지 내다봅니다"}},
     player_expectimax_open},
    {"perfect",
     {{"the best move, by the exact value of every one", "정확한 값으로 고른 최선의 수"}},
     player_perfect_open},
};

size_t player_kind_count(void) {
    return sizeof kinds / sizeof kinds[0];
}

const PlayerKind *player_kind_at(size_t index) {
    return &kinds[index];
}

Status player_kind_find(const char *name, const PlayerKind **kind) {
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
