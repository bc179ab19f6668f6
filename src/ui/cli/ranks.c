/* malpan-mpi: what the ranks of a job have to have in common, and which verbs they can share. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/file.h"
#include "game/stored.h"
#include "ui/cli/cli.h"

/* What a rank tells the others about itself when it starts. */
typedef struct Passport {
    uint64_t program;   /* a hash of its file */
    uint64_t arguments; /* a hash of those that must be the same */
} Passport;

static Status hash_program(uint64_t *hash) {
    enum { BYTES_MAX = 1 << 28 };
    char *bytes;
    size_t size;
    Status status = file_read("/proc/self/exe", BYTES_MAX, &bytes, &size);
    if (!status_is_ok(&status))
        return status;
    *hash = XXH3_64bits(bytes, size);
    free(bytes);
    return status;
}

/* Whether an argument may differ between machines. `words` receives how many words it takes. */
static bool is_local(const char *argument, size_t *words) {
    static const char *const names[] = {"--memory", "--threads", "--tables"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        size_t length = strlen(names[i]);
        if (strncmp(argument, names[i], length) != 0)
            continue;
        *words = argument[length] == '=' ? 1 : 2;
        if (argument[length] == '=' || argument[length] == '\0')
            return true;
    }
    *words = 1;
    return false;
}

static uint64_t hash_arguments(size_t count, const char *const arguments[]) {
    uint64_t hash = 0;
    for (size_t i = 0, words; i < count; i += words)
        if (!is_local(arguments[i], &words))
            hash = XXH3_64bits_withSeed(arguments[i], strlen(arguments[i]), hash + 1);
    return hash;
}

static Status compare_passports(const Exchange *exchange, const Passport passports[]) {
    for (int i = 1; i < exchange->count; i++) {
        if (passports[i].program != passports[0].program)
            return status_make(STATUS_USAGE, "rank %d on %s runs another program than rank 0 on %s",
                               i, exchange->hosts[i], exchange->hosts[0]);
        if (passports[i].arguments != passports[0].arguments)
            return status_make(
                STATUS_USAGE,
                "rank %d on %s has other arguments than rank 0 on %s; only --memory, "
                "--threads and --tables may differ",
                i, exchange->hosts[i], exchange->hosts[0]);
    }
    return status_ok();
}

Status cli_compare_ranks(const Cli *cli, size_t argument_count, const char *const arguments[]) {
    if (!cli->exchange)
        return status_ok();
    Passport mine = {.arguments = hash_arguments(argument_count, arguments)};
    Passport *all = calloc((size_t)cli->exchange->count, sizeof *all);
    Status status = hash_program(&mine.program);
    if (!all)
        status = status_make(STATUS_FAILED, "out of memory");
    status = exchange_agree(cli->exchange, status);
    assert(!status_is_ok(&status) || all);
    if (status_is_ok(&status)) {
        exchange_gather(cli->exchange, &mine, sizeof mine, all);
        status = compare_passports(cli->exchange, all);
    }
    free(all);
    return status;
}

Status cli_check_ranks(const Cli *cli) {
    const Game *game = cli->variant.game;
    if (!cli->exchange)
        return status_ok();
    if (!cli->verb->runs_on_ranks)
        return status_make(STATUS_UNSUPPORTED,
                           "malpan-mpi runs solve, match, rate and stats; for %s use malpan",
                           cli->verb->name);
    if (strcmp(cli->verb->name, "solve") == 0 && exchange_count(cli->exchange) > 1 &&
        game->stored && !game->stored->is_distributed)
        return status_make(STATUS_UNSUPPORTED,
                           "%s is solved by one process: use malpan, or a single rank",
                           game->identity.name);
    return status_ok();
}
