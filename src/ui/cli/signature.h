/* malpan bench --signature: results that must not change unintentionally. */
#ifndef MALPAN_UI_CLI_SIGNATURE_H
#define MALPAN_UI_CLI_SIGNATURE_H

#include "ui/cli/cli.h"

/* Prints one result per line, for every game or only for cli->variant.game, then a hash of all
 * lines. The output does not depend on the machine or on the number of threads. */
Status signature_print(Cli *cli);

#endif
