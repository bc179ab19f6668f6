/* Reads words from standard input, separated by white space, and handles the signals that stop the
 * program. Signals are only delivered while waiting for input, so nothing else is interrupted. */
#ifndef MALPAN_COMPAT_YUNNORI_INPUT_H
#define MALPAN_COMPAT_YUNNORI_INPUT_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

enum { INPUT_WORD_BYTES = 1024, INPUT_BUFFER_BYTES = 4096 };

typedef struct Input {
    char buffer[INPUT_BUFFER_BYTES];
    size_t used, length;
    bool ended;
    sigset_t waiting_mask; /* the signals that stay blocked while waiting */
} Input;

/* Blocks the signals that stop the program, except while it waits for an answer. */
void input_open(Input *input);

/* Reads the next word. One that does not fit is read to its end and truncated, followed by ` ...`.
 * False at the end of the input or after a signal. */
bool input_word(Input *input, char word[INPUT_WORD_BYTES]);

/* Prints a prompt and reads a word. The terminal stops echoing before the prompt appears. */
bool input_secret(Input *input, const char *prompt, char word[INPUT_WORD_BYTES]);

/* The signal that stopped the program, or 0. */
int input_stop_signal(void);

#endif
