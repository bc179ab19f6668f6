/* Included before every file of the module: what WASI lacks and the sources name. Nothing of it is
 * reached in a module that opens no files. */
#ifndef MALPAN_PORT_H
#define MALPAN_PORT_H

#include <sys/types.h>

#define O_TMPFILE 0

int fchmod(int file, mode_t mode);
char *mkdtemp(char *path);

#endif
