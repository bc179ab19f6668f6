/* How long a call of ShutTheBox or diceyut takes, process start included, beside a process that
 * does nothing.
 *
 *     process NOTHING SHUTTHEBOX DICEYUT
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { RUNS = 300, WORDS_MAX = 8 };

static double clock_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Seconds from start to end of one process whose output goes nowhere; it reads the file `input`. */
static double time_once(char *const command[], const char *input) {
    char *environment[] = {NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input, O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t child;
    int status;
    double start = clock_s();
    if (posix_spawn(&child, command[0], &actions, NULL, command, environment) != 0 ||
        waitpid(child, &status, 0) != child || status != 0) {
        fprintf(stderr, "process: cannot run %s\n", command[0]);
        exit(1);
    }
    double seconds = clock_s() - start;
    posix_spawn_file_actions_destroy(&actions);
    return seconds;
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double times[]) {
    qsort(times, RUNS, sizeof times[0], by_value);
    return times[RUNS / 2];
}

/* Times a program against one that does nothing, and says so. */
static void compare(char *const command[], const char *input, char *nothing_path) {
    char *nothing[] = {nothing_path, NULL};
    double call_s[RUNS], nothing_s[RUNS];
    /* Turn about, so that a slow moment of the machine hits both. */
    for (int run = 0; run < RUNS; run++) {
        nothing_s[run] = time_once(nothing, input);
        call_s[run] = time_once(command, input);
    }
    double call = median(call_s), base = median(nothing_s);
    printf(": %.3f ms, %.1f times a process that does nothing (%.3f ms), goal 5: %s\n", 1e3 * call,
           call / base, 1e3 * base, call <= 5 * base ? "reached" : "MISSED");
}

/* A file with the text, without a name that stays. */
static void write_input(const char *text, char path[]) {
    int file = mkstemp(path);
    if (file < 0 || write(file, text, strlen(text)) != (ssize_t)strlen(text)) {
        fprintf(stderr, "process: cannot write %s\n", path);
        exit(1);
    }
    close(file);
}

int main(int argc, char **argv) {
    static char calls[][WORDS_MAX][12] = {
        {"--one", "--expect", "123456789"},      {"--one", "--expect", "146789"},
        {"--one", "--move", "146789", "9"},      {"--one", "--move", "123456789", "7"},
        {"--two", "--expect", "123456789", "8"}, {"--two", "--move", "13456789", "17", "12"},
    };
    static const char *const throws[] = {"1 2 3 4 1 2 3 4 1 2", "5 1 2 3 4 5 5 3 2 4"};
    if (argc != 4) {
        fprintf(stderr, "usage: process NOTHING SHUTTHEBOX DICEYUT\n");
        return 2;
    }
    printf("ShutTheBox: a call, process start included (medians of %d)\n", RUNS);
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        char *command[WORDS_MAX + 2] = {argv[2]};
        printf(" ");
        for (size_t j = 0; j < WORDS_MAX && calls[i][j][0]; j++) {
            command[j + 1] = calls[i][j];
            printf(" %s", calls[i][j]);
        }
        compare(command, "/dev/null", argv[1]);
    }
    printf("diceyut: the same\n");
    for (size_t i = 0; i < sizeof throws / sizeof throws[0]; i++) {
        char path[] = "/tmp/malpan-bench-XXXXXX";
        char *command[] = {argv[3], NULL};
        write_input(throws[i], path);
        printf("  %s", throws[i]);
        compare(command, path, argv[1]);
        unlink(path);
    }
    return 0;
}
