#include "compat/yunnori/input.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

/* Written by the signal handler. */
static volatile sig_atomic_t stop_signal;

static void note_signal(int number) {
    stop_signal = number;
}

int input_stop_signal(void) {
    return stop_signal;
}

void input_open(Input *input) {
    static const int stops[] = {SIGHUP, SIGINT, SIGTERM, SIGQUIT};
    struct sigaction action = {.sa_handler = note_signal};
    sigset_t blocked;
    *input = (Input){.used = 0};
    sigemptyset(&action.sa_mask);
    sigemptyset(&blocked);
    for (size_t i = 0; i < sizeof stops / sizeof stops[0]; i++) {
        /* A signal that the parent had ignored (nohup) stays ignored. */
        struct sigaction old;
        if (sigaction(stops[i], NULL, &old) == 0 && old.sa_handler == SIG_IGN)
            continue;
        sigaction(stops[i], &action, NULL);
        sigaddset(&blocked, stops[i]);
    }
    sigprocmask(SIG_BLOCK, &blocked, &input->waiting_mask);
    /* Writing to a closed pipe is an error like any other. */
    signal(SIGPIPE, SIG_IGN);
}

/* Fills the empty buffer. False at the end of the input or after a signal. */
static bool refill(Input *input) {
    struct pollfd wait = {.fd = STDIN_FILENO, .events = POLLIN};
    /* If input is always available, ppoll delivers no signal, so deliver pending ones here. */
    sigset_t blocked;
    sigprocmask(SIG_SETMASK, &input->waiting_mask, &blocked);
    sigprocmask(SIG_SETMASK, &blocked, NULL);
    while (!input->ended && stop_signal == 0) {
        if (ppoll(&wait, 1, NULL, &input->waiting_mask) < 0)
            continue; /* a signal; the loop condition checks it */
        ssize_t got = read(STDIN_FILENO, input->buffer, sizeof input->buffer);
        if (got > 0) {
            input->used = 0;
            input->length = (size_t)got;
            return true;
        }
        if (got == 0 || errno != EINTR)
            input->ended = true;
    }
    return false;
}

static bool next_byte(Input *input, char *byte) {
    if (input->used == input->length && !refill(input))
        return false;
    *byte = input->buffer[input->used++];
    return true;
}

static bool is_blank(char byte) {
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

bool input_word(Input *input, char word[INPUT_WORD_BYTES]) {
    char byte;
    do {
        if (!next_byte(input, &byte))
            return false;
    } while (is_blank(byte));
    static const char too_long[] = " ..."; /* contains a space, so it equals no real word */
    size_t length = 0;
    do {
        if (length < INPUT_WORD_BYTES - 1)
            word[length] = byte == '\0' ? '?' : byte;
        length++;
    } while (next_byte(input, &byte) && !is_blank(byte));
    if (length < INPUT_WORD_BYTES)
        word[length] = '\0';
    else
        memcpy(word + INPUT_WORD_BYTES - sizeof too_long, too_long, sizeof too_long);
    /* A word at the very end of the input counts; one cut off by a signal does not. */
    return stop_signal == 0;
}

bool input_secret(Input *input, const char *prompt, char word[INPUT_WORD_BYTES]) {
    struct termios shown;
    bool terminal = tcgetattr(STDIN_FILENO, &shown) == 0;
    sigset_t suspend, before;
    if (terminal) {
        /* The newline is still echoed. While echo is off, the program must not be suspended. */
        struct termios hidden = shown;
        hidden.c_lflag = (hidden.c_lflag & ~(tcflag_t)ECHO) | ECHONL;
        sigemptyset(&suspend);
        sigaddset(&suspend, SIGTSTP);
        sigprocmask(SIG_BLOCK, &suspend, &before);
        sigaddset(&input->waiting_mask, SIGTSTP);
        tcsetattr(STDIN_FILENO, TCSANOW, &hidden);
    }
    fputs(prompt, stdout);
    bool answered = fflush(stdout) == 0 && input_word(input, word);
    if (terminal) {
        tcsetattr(STDIN_FILENO, TCSANOW, &shown);
        sigdelset(&input->waiting_mask, SIGTSTP);
        sigprocmask(SIG_SETMASK, &before, NULL);
    }
    return answered;
}
