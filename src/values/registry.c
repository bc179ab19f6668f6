#include "values/registry.h"

#include <string.h>

#include "games/box/box.h"
#include "games/dice/dice.h"
#include "games/race/race.h"
#include "games/valley/valley.h"
#include "games/yut/yut.h"

static const Game *const games[] = {
    &yut_game, &race_game, &box_game, &dice_game, &valley_game,
};

size_t registry_count(void) {
    return sizeof games / sizeof games[0];
}

const Game *registry_at(size_t index) {
    return games[index];
}

Status registry_find(const char *name, const Game **game) {
    const char *names[sizeof games / sizeof games[0]];
    for (size_t i = 0; i < registry_count(); i++) {
        names[i] = games[i]->identity.name;
        if (strcmp(name, names[i]) == 0) {
            *game = games[i];
            return status_ok();
        }
    }
    return options_unknown("game", name, names, registry_count(), "`malpan games` lists them");
}
