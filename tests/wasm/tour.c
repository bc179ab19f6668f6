/* `malpan tour --json` as a program for WASI, with nothing of the command line but that verb: its
 * output has to be that of the native program, byte for byte. */
#include "ui/cli/cli.h"

Status tour_run(Cli *cli);

SolveLimits cli_limits(Cli *cli) {
    return (SolveLimits){.memory_bytes = cli->memory_bytes, .threads = 1};
}

/* What is only shown to people. */

DrawStyle cli_style(const Cli *cli) {
    return (DrawStyle){.lang = cli->lang};
}

void cli_add_value_for_people(const Cli *cli, Text *text, const Variant *variant, double value,
                              bool is_estimate) {
    (void)cli, (void)text, (void)variant, (void)value, (void)is_estimate;
}

void cli_add_typical_error(const Cli *cli, Text *text, double error, const char *suffix) {
    (void)cli, (void)text, (void)error, (void)suffix;
}

int main(void) {
    static Cli cli = {.json = true, .memory_bytes = (size_t)1 << 30};
    Status status = tour_run(&cli);
    if (!status_is_ok(&status))
        fprintf(stderr, "%s\n", status.message);
    return (int)status.code;
}
