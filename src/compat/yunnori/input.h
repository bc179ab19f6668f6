/* Answers from standard input: words separated by white space, of any length, and a way to be told
 * to stop. Signals are only let in while waiting, so that nothing else is ever interrupted. */
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

/* The next word. One that does not fit is read to its end and comes out cut, with ` ...` behind it.
 * False when the input has ended or a signal came. */
bool input_word(Input *input, char word[INPUT_WORD_BYTES]);

/* Prints a prompt and reads a word; a terminal does not show what is typed from the moment the
 * prompt can be seen. */
bool input_secret(Input *input, const char *prompt, char word[INPUT_WORD_BYTES]);

/* The signal that told the program to stop, or 0. */
int input_stop_signal(void);

#endif
