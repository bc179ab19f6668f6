/* What the programs that speak older formats have in common: options, --help, --version, and one
 * line on standard error when something is wrong. */
#ifndef MALPAN_COMPAT_COMMON_PROGRAM_H
#define MALPAN_COMPAT_COMMON_PROGRAM_H

#include "base/options.h"

typedef struct CompatProgram {
    const char *name;
    const char *usage;         /* what --help prints */
    const OptionSpec *options; /* beside --help and --version */
    size_t option_count;
    Status (*run)(const CommandLine *line, void *context);
} CompatProgram;

/* Tells on standard error, in one line, what is wrong. */
void program_complain(const CompatProgram *program, const Status *status);

/* The whole of main: the exit code. `context` is handed to run. */
int program_main(const CompatProgram *program, void *context, int argc, char **argv);

#endif
