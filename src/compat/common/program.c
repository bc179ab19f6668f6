#include "compat/common/program.h"

#include <assert.h>
#include <stdio.h>

#include "malpan.h"

enum { OPTIONS_MAX = 32 };

static const OptionSpec common[] = {{.name = "help", .letter = 'h'},
                                    {.name = "version", .letter = 'V'}};
enum { COMMON_COUNT = sizeof common / sizeof common[0] };

void program_complain(const CompatProgram *program, const Status *status) {
    fprintf(stderr, "%s: %s\n", program->name, status->message);
}

static Status run(const CompatProgram *program, void *context, size_t argument_count,
                  const char *const arguments[]) {
    const OptionSpec *specs[OPTIONS_MAX];
    size_t count = 0;
    assert(program->option_count + COMMON_COUNT <= OPTIONS_MAX);
    for (size_t i = 0; i < program->option_count; i++)
        specs[count++] = &program->options[i];
    for (size_t i = 0; i < COMMON_COUNT; i++)
        specs[count++] = &common[i];
    CommandLine line;
    Status status = options_parse(specs, count, arguments, argument_count, &line);
    if (!status_is_ok(&status))
        return status;
    if (options_find(&line, "help")) {
        fputs(program->usage, stdout);
        return status;
    }
    if (options_find(&line, "version")) {
        printf("%s (malpan) %s\n", program->name, MALPAN_VERSION);
        return status;
    }
    return program->run(&line, context);
}

int program_main(const CompatProgram *program, void *context, int argc, char **argv) {
    size_t count = argc > 0 ? (size_t)argc - 1 : 0;
    Status status = run(program, context, count, (const char *const *)argv + 1);
    if (status_is_ok(&status) && (fflush(stdout) != 0 || ferror(stdout)))
        status = status_make(STATUS_FAILED, "cannot write to standard output");
    if (!status_is_ok(&status))
        program_complain(program, &status);
    return (int)status.code;
}
