/* The main function shared by the compatible programs: options, --help, --version, and errors as
 * one line on standard error. */
#ifndef MALPAN_COMPAT_COMMON_PROGRAM_H
#define MALPAN_COMPAT_COMMON_PROGRAM_H

#include "base/options.h"

typedef struct CompatProgram {
    const char *name;
    const char *usage;         /* what --help prints */
    const OptionSpec *options; /* besides --help and --version */
    size_t option_count;
    Status (*run)(const CommandLine *line, void *context);
} CompatProgram;

/* Prints the message as one line on standard error. */
void program_complain(const CompatProgram *program, const Status *status);

/* The body of main: parses the options, runs the program and returns the exit code. `context` is
 * passed to run. */
int program_main(const CompatProgram *program, void *context, int argc, char **argv);

#endif
