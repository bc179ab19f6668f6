#include <string.h>

#include "ui/cli/cli.h"

static const Verb *const verbs[] = {
    &verb_play,   &verb_serve, &verb_eval,  &verb_match, &verb_rate,  &verb_perft, &verb_solve,
    &verb_verify, &verb_tour,  &verb_games, &verb_stats, &verb_bench, &verb_help,  &verb_version};

size_t verbs_count(void) {
    return sizeof verbs / sizeof verbs[0];
}

const Verb *verbs_at(size_t index) {
    return verbs[index];
}

Status verbs_find(const char *name, const Verb **verb) {
    const char *names[sizeof verbs / sizeof verbs[0]];
    for (size_t i = 0; i < verbs_count(); i++) {
        names[i] = verbs[i]->name;
        if (strcmp(name, names[i]) == 0) {
            *verb = verbs[i];
            return status_ok();
        }
    }
    return options_unknown("verb", name, names, verbs_count(), "`malpan help` lists them");
}
