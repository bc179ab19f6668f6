/* malpan bench --signature: results that must not change unless somebody means them to. */
#ifndef MALPAN_UI_CLI_SIGNATURE_H
#define MALPAN_UI_CLI_SIGNATURE_H

#include "ui/cli/cli.h"

/* Prints one result per line, of every game or of cli->variant.game, then a hash of all lines. The
 * output does not depend on the machine or on the number of threads. */
Status signature_print(Cli *cli);

#endif
