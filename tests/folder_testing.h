/* A new folder to run a group of tests in, gone in the end. */
#ifndef MALPAN_TESTS_FOLDER_TESTING_H
#define MALPAN_TESTS_FOLDER_TESTING_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char testing_folder[] = "/tmp/malpan-test-XXXXXX";

static inline int make_folder(void **state) {
    (void)state;
    return mkdtemp(testing_folder) && chdir(testing_folder) == 0 ? 0 : -1;
}

static inline int remove_folder(void **state) {
    (void)state;
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", testing_folder);
    return chdir("/") == 0 ? system(command) : -1;
}

#endif
