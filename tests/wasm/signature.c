/* `malpan bench GAME --signature` as a program for WASI, with nothing of the command line but that.
 * There are no files, so the games have to be some that are never stored in tables. */
#include "ui/cli/signature.h"

#include <string.h>

#include "ui/cli/stop.h"

const StopFlag *stop_on_signals(void) {
    static const StopFlag never;
    return &never;
}

Status stop_without_resuming(Status status) {
    return status;
}

/* The folder for tables, of which there are none. */
char *mkdtemp(char *path) {
    return path;
}

int main(void) {
    static const char *const names[] = {"race", "box", "dice"};
    static Cli cli = {.threads = 1};
    Status status = status_ok();
    for (size_t i = 0; i < sizeof names / sizeof names[0] && status_is_ok(&status); i++) {
        status = registry_find(names[i], &cli.variant.game);
        if (status_is_ok(&status))
            status = signature_print(&cli);
    }
    if (!status_is_ok(&status))
        fprintf(stderr, "%s\n", status.message);
    return (int)status.code;
}
