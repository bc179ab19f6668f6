#include "ui/web/seat_text.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

void seat_text_print(const HostedGame *game, char text[ARCHIVE_SEATS_BYTES]) {
    Text out = text_over(text, ARCHIVE_SEATS_BYTES);
    for (int i = 0; i < hosted_game_player_count(game); i++) {
        const HostedSeat *seat = &game->seats[i];
        char hash[SECRET_COMMITMENT_BYTES];
        secret_hash_print(&seat->token_hash, hash);
        text_addf(&out, "%s%d:%s", i > 0 ? " " : "", (int)seat->kind, hash);
        if (!seat->is_taken && !seat->name[0])
            continue;
        secret_hash_print(&seat->taker, hash);
        text_addf(&out, ":%s:", seat->is_taken ? hash : "-");
        for (const char *at = seat->name; *at; at++)
            text_addf(&out, "%02x", (unsigned)(unsigned char)*at);
    }
    assert(!out.truncated);
}

/* Reads bytes in hex as a text. */
static bool parse_name(const char *hex, char name[HOSTED_NAME_BYTES]) {
    size_t length = strlen(hex);
    if (length % 2 != 0 || length / 2 >= HOSTED_NAME_BYTES ||
        strspn(hex, "0123456789abcdef") != length)
        return false;
    for (size_t i = 0; i < length / 2; i++) {
        unsigned byte = 0;
        sscanf(hex + 2 * i, "%2x", &byte);
        name[i] = (char)byte;
    }
    name[length / 2] = '\0';
    return true;
}

/* Reads `KIND:HASH` or `KIND:HASH:TAKER:NAME`, which it cuts into pieces. */
static bool parse_seat(char *word, HostedSeat *seat) {
    char *taker = NULL, *name = NULL;
    int kind = word[0] - '0';
    if (kind < SEAT_HERE || kind > SEAT_COMPUTER || word[1] != ':')
        return false;
    taker = strchr(word + 2, ':');
    name = taker ? strchr(taker + 1, ':') : NULL;
    if (taker)
        *taker++ = '\0';
    if (name)
        *name++ = '\0';
    seat->kind = (SeatKind)kind;
    seat->is_taken = taker && strcmp(taker, "-") != 0;
    return secret_hash_parse(word + 2, &seat->token_hash) && !taker == !name &&
           (!seat->is_taken || secret_hash_parse(taker, &seat->taker)) &&
           (!name || parse_name(name, seat->name));
}

bool seat_text_parse(const char *text, unsigned undo_asked, HostedGame *game) {
    char storage[ARCHIVE_SEATS_BYTES];
    char *words[GAME_PLAYERS_MAX];
    size_t players = (size_t)hosted_game_player_count(game);
    if (text_split(text, storage, sizeof storage, words, GAME_PLAYERS_MAX) != players)
        return false;
    for (size_t i = 0; i < players; i++) {
        if (!parse_seat(words[i], &game->seats[i]))
            return false;
        game->seats[i].asks_undo = undo_asked >> i & 1;
    }
    return true;
}
