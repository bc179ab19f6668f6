/* malpan, the program: a process alone. */
#include "ui/cli/cli.h"

int main(int argc, char **argv) {
    return (int)cli_run(argc, argv, NULL).code;
}
