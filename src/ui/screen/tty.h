/* The terminal as a device: raw mode, the alternate screen, its size, what it can do, and signals.
 *
 * The terminal is restored on every way out: tty_close, the end of the process by exit(), signals
 * that end it, and crashes. Only SIGKILL cannot be handled.
 *
 * Signals are turned into bytes on a pipe, which tty_wait watches; a crash restores the terminal
 * within the signal handler, by a prepared text and tcsetattr, which are safe there, and then goes
 * on to the previous handler.
 *
 * There is one terminal per process, so its state is global. Everything runs on the main thread.
 */
#ifndef MALPAN_UI_SCREEN_TTY_H
#define MALPAN_UI_SCREEN_TTY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "base/text.h"

/* Whether standard input and output are a terminal on which a cursor can be moved. */
bool tty_is_usable(void);

/* Takes over the terminal. STATUS_FAILED if it cannot be used. */
Status tty_open(bool mouse);

/* Restores the terminal. May be called twice. */
void tty_close(void);

/* Gives the terminal back to the shell and stops the process, as Ctrl-Z does; returns when it goes
 * on, with the terminal taken over again. */
void tty_suspend(void);

void tty_size(int *rows, int *columns);

/* A capability of the terminal by its terminfo name, without its padding; NULL if it has none. */
const char *tty_capability(const char *name);
int tty_number(const char *name);

/* Adds a capability with its parameters filled in; nothing if the terminal does not have it. */
void tty_add_command(Text *text, const char *name, int first, int second);

/* Adds the command that moves the cursor. */
void tty_add_move(Text *text, int row, int column);

/* Writes all bytes, in one call unless the terminal takes fewer. False if it is gone. */
bool tty_write(const char *bytes, size_t count);

/* Reads what has been typed. Returns the number of bytes; 0 if there is nothing; -1 if the terminal
 * is gone. */
int tty_read(char *bytes, size_t capacity);

enum { TTY_OTHERS = 2 };

/* What tty_wait saw. */
typedef struct TtyNews {
    bool has_input, has_resized, has_resumed, should_suspend;
    bool others[TTY_OTHERS]; /* what may be read from each of the other files */
    int ending;              /* the signal that asks the program to end, or 0 */
} TtyNews;

/* Waits for input, a signal, a byte on one of the other files (-1: none), or until the time is
 * over; a negative time waits for ever. */
TtyNews tty_wait(const int others[TTY_OTHERS], int timeout_ms);

#endif
