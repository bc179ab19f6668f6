/* Computer players. */
#include "players/player.h"

#include <stdlib.h>

#include "library/library.h"

struct MalpanPlayer {
    Variant variant;
    uint64_t tag;
    LibraryLimits limits;
    Solver *solver; /* if the player needs one */
    Player *player;
};

int malpan_player_info(size_t index, MalpanPlayerInfo *info, MalpanError *error) {
    Status status = !info ? library_expected("room for the description")
                    : index >= player_kind_count()
                        ? status_make(STATUS_USAGE, "there is no player number %zu", index)
                        : status_ok();
    if (status_is_ok(&status)) {
        const PlayerKind *kind = player_kind_at(index);
        *info = (MalpanPlayerInfo){.name = kind->name,
                                   .setting = kind->setting,
                                   .about = {kind->about.in[LANG_EN], kind->about.in[LANG_KO]}};
    }
    return library_finish(error, status);
}

static Status fill_player(MalpanPlayer *player, const MalpanGame *game, const char *name,
                          const MalpanLimits *limits) {
    Seat seat;
    player->variant = game->variant;
    player->tag = game->tag;
    Status status = library_read_limits(limits, &player->limits);
    if (status_is_ok(&status))
        status = seat_parse(name, &seat);
    if (!status_is_ok(&status))
        return status;
    if (!seat.kind->open)
        return status_make(STATUS_USAGE, "'%s' is not a computer player", seat.kind->name);
    return seat_open(&seat, &player->variant, &player->limits.solve, &player->solver,
                     &player->player);
}

int malpan_player_open(const MalpanGame *game, const char *name, const MalpanLimits *limits,
                       MalpanPlayer **opened, MalpanError *error) {
    if (!opened)
        return library_finish(error, library_expected("room for the player"));
    *opened = NULL;
    if (!game || !name)
        return library_finish(error, library_expected(game ? "the name of a player" : "a game"));
    MalpanPlayer *player = calloc(1, sizeof *player);
    Status status = player ? fill_player(player, game, name, limits) : library_out_of_memory();
    if (status_is_ok(&status))
        *opened = player;
    else
        malpan_player_close(&player);
    return library_finish(error, status);
}

void malpan_player_close(MalpanPlayer **closed) {
    MalpanPlayer *player = closed ? *closed : NULL;
    if (!player)
        return;
    if (player->player)
        player->player->free(player->player);
    if (player->solver)
        player->solver->free(player->solver);
    free(player);
    *closed = NULL;
}

int malpan_player_choose(MalpanPlayer *player, const MalpanPosition *position, MalpanRandom *random,
                         MalpanMove *move, MalpanError *error) {
    State state;
    Status status = !player ? library_expected("a player")
                    : !random || !move
                        ? library_expected(random ? "room for the move" : "a generator")
                        : library_read_position(player->tag, position, &state);
    if (status_is_ok(&status) &&
        player->variant.game->tree.actor(&player->variant.rules, &state) < 0)
        status = status_make(STATUS_USAGE, "nobody chooses here");
    Move chosen = 0;
    if (status_is_ok(&status)) {
        Random generator = library_get_random(random);
        status = player->player->choose(player->player, &state, &generator, &chosen);
        library_set_random(&generator, random);
    }
    if (status_is_ok(&status))
        *move = chosen;
    return library_finish(error, status);
}
