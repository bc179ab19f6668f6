#include "ui/screen/tty.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

#undef columns /* a macro of term.h */

enum { CAPABILITY_BYTES = 64, RESTORE_BYTES = 256, CRASH_COUNT = 5, NOTED_COUNT = 7 };

static const int crashes[CRASH_COUNT] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL};
static const int noted[NOTED_COUNT] = {SIGTERM,  SIGHUP,  SIGINT, SIGQUIT,
                                       SIGWINCH, SIGTSTP, SIGCONT};

static struct {
    volatile sig_atomic_t is_open;
    bool mouse, is_set_up;
    struct termios before;
    int pipe[2];                 /* signals, as bytes */
    char move[CAPABILITY_BYTES]; /* how the cursor is moved */
    char restore[RESTORE_BYTES];
    volatile sig_atomic_t restore_length;
    struct sigaction crash_before[CRASH_COUNT], noted_before[NOTED_COUNT], pipe_before;
} tty = {.pipe = {-1, -1}};

/* --- what the terminal can do --- */

const char *tty_capability(const char *name) {
    static char plain[CAPABILITY_BYTES];
    const char *found = tigetstr(name);
    if (!found || (intptr_t)found == -1 || strlen(found) >= sizeof plain)
        return NULL;
    char *to = plain;
    for (const char *at = found; *at; at++) {
        if (at[0] == '$' && at[1] == '<' && strchr(at, '>'))
            at = strchr(at, '>');
        else
            *to++ = *at;
    }
    *to = '\0';
    return plain;
}

int tty_number(const char *name) {
    return tigetnum(name);
}

void tty_add_command(Text *text, const char *name, int first, int second) {
    const char *found = tty_capability(name);
    const char *command = found ? tiparm(found, first, second) : NULL;
    if (command)
        text_add(text, command);
}

void tty_add_move(Text *text, int row, int column) {
    text_add(text, tiparm(tty.move, row, column));
}

bool tty_is_usable(void) {
    int error = 0;
    const char *term = getenv("TERM");
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) || !term || !*term)
        return false;
    if (!tty.is_set_up && setupterm(NULL, STDOUT_FILENO, &error) != OK)
        return false;
    tty.is_set_up = true;
    const char *move = tty_capability("cup");
    if (move)
        snprintf(tty.move, sizeof tty.move, "%s", move);
    return move && tty_capability("clear");
}

void tty_size(int *rows, int *columns) {
    struct winsize size;
    bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0;
    *rows = known ? size.ws_row : 24;
    *columns = known ? size.ws_col : 80;
}

/* --- taking and restoring --- */

static void add_capability(Text *text, const char *name) {
    const char *found = tty_capability(name);
    if (found)
        text_add(text, found);
}

/* Safe in a signal handler. */
static void restore(void) {
    if (!tty.is_open)
        return;
    tty.is_open = 0;
    ssize_t written = write(STDOUT_FILENO, tty.restore, (size_t)tty.restore_length);
    (void)written; /* there is nothing else to do */
    tcsetattr(STDIN_FILENO, TCSANOW, &tty.before);
}

static void take_over(void) {
    struct termios raw = tty.before;
    char start[RESTORE_BYTES];
    Text text = text_over(start, sizeof start);
    raw.c_iflag &= ~(tcflag_t)(BRKINT | ICRNL | INPCK | ISTRIP | IXON);
    raw.c_oflag &= ~(tcflag_t)OPOST;
    raw.c_cflag |= CS8;
    raw.c_lflag &= ~(tcflag_t)(ECHO | ICANON | IEXTEN | ISIG);
    raw.c_cc[VMIN] = 0;
    raw.c_cc[VTIME] = 0;
    tty.is_open = 1;
    tcsetattr(STDIN_FILENO, TCSANOW, &raw);
    add_capability(&text, "smcup");
    add_capability(&text, "smkx");
    add_capability(&text, "civis");
    if (tty.mouse)
        text_add(&text, "\x1b[?1000h\x1b[?1006h"); /* report clicks, in the SGR form */
    add_capability(&text, "clear");
    tty_write(start, text.length);
}

static void prepare_restore(void) {
    Text text = text_over(tty.restore, sizeof tty.restore);
    if (tty.mouse)
        text_add(&text, "\x1b[?1006l\x1b[?1000l");
    add_capability(&text, "sgr0");
    add_capability(&text, "cnorm");
    add_capability(&text, "rmkx");
    add_capability(&text, "rmcup");
    tty.restore_length = (sig_atomic_t)text.length;
}

/* --- signals --- */

static void note_signal(int number) {
    int error = errno;
    char byte = (char)number;
    ssize_t written = write(tty.pipe[1], &byte, 1);
    (void)written; /* a full pipe has news enough */
    errno = error;
}

static void crash(int number) {
    restore();
    for (int i = 0; i < CRASH_COUNT; i++)
        if (crashes[i] == number)
            sigaction(number, &tty.crash_before[i], NULL);
    raise(number);
}

static void catch_signals(void) {
    struct sigaction note = {.sa_handler = note_signal, .sa_flags = SA_RESTART};
    struct sigaction end = {.sa_handler = crash, .sa_flags = SA_NODEFER};
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigemptyset(&note.sa_mask);
    sigemptyset(&end.sa_mask);
    for (int i = 0; i < CRASH_COUNT; i++)
        sigaction(crashes[i], &end, &tty.crash_before[i]);
    for (int i = 0; i < NOTED_COUNT; i++)
        sigaction(noted[i], &note, &tty.noted_before[i]);
    sigaction(SIGPIPE, &ignore, &tty.pipe_before);
}

static void release_signals(void) {
    for (int i = 0; i < CRASH_COUNT; i++)
        sigaction(crashes[i], &tty.crash_before[i], NULL);
    for (int i = 0; i < NOTED_COUNT; i++)
        sigaction(noted[i], &tty.noted_before[i], NULL);
    sigaction(SIGPIPE, &tty.pipe_before, NULL);
}

/* --- opening and closing --- */

Status tty_open(bool mouse) {
    static bool registered;
    if (!tty_is_usable() || tcgetattr(STDIN_FILENO, &tty.before) != 0)
        return status_make(STATUS_FAILED, "not a terminal with a full screen");
    if (pipe2(tty.pipe, O_NONBLOCK | O_CLOEXEC) != 0)
        return status_from_errno("cannot open", "a pipe");
    tty.mouse = mouse;
    prepare_restore();
    catch_signals();
    if (!registered)
        atexit(restore);
    registered = true;
    take_over();
    return status_ok();
}

void tty_close(void) {
    if (tty.pipe[0] < 0)
        return;
    restore();
    release_signals();
    close(tty.pipe[0]);
    close(tty.pipe[1]);
    tty.pipe[0] = tty.pipe[1] = -1;
}

void tty_suspend(void) {
    struct sigaction stop = {.sa_handler = SIG_DFL}, note;
    restore();
    sigemptyset(&stop.sa_mask);
    sigaction(SIGTSTP, &stop, &note);
    kill(0, SIGTSTP); /* the whole group, as the terminal does */
    sigaction(SIGTSTP, &note, NULL);
    tcgetattr(STDIN_FILENO, &tty.before);
    take_over();
}

/* --- input and output --- */

bool tty_write(const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = write(STDOUT_FILENO, bytes, count);
        if (written < 0 && errno == EAGAIN) {
            struct pollfd ready = {.fd = STDOUT_FILENO, .events = POLLOUT};
            poll(&ready, 1, 100);
        } else if (written < 0 && errno != EINTR) {
            return false;
        } else if (written > 0) {
            bytes += written;
            count -= (size_t)written;
        }
    }
    return true;
}

int tty_read(char *bytes, size_t capacity) {
    ssize_t count = read(STDIN_FILENO, bytes, capacity);
    if (count < 0)
        return errno == EINTR || errno == EAGAIN ? 0 : -1;
    return (int)count;
}

static void read_signals(TtyNews *news) {
    char bytes[64];
    ssize_t count = read(tty.pipe[0], bytes, sizeof bytes);
    for (ssize_t i = 0; i < count; i++) {
        if (bytes[i] == SIGWINCH)
            news->has_resized = true;
        else if (bytes[i] == SIGTSTP)
            news->should_suspend = true;
        else if (bytes[i] == SIGCONT)
            news->has_resumed = true;
        else
            news->ending = (unsigned char)bytes[i];
    }
}

TtyNews tty_wait(const int others[TTY_OTHERS], int timeout_ms) {
    TtyNews news = {.has_input = false};
    struct pollfd files[2 + TTY_OTHERS] = {{.fd = STDIN_FILENO, .events = POLLIN},
                                           {.fd = tty.pipe[0], .events = POLLIN}};
    for (int i = 0; i < TTY_OTHERS; i++)
        files[2 + i] = (struct pollfd){.fd = others[i], .events = POLLIN};
    int ready = poll(files, 2 + TTY_OTHERS, timeout_ms);
    if (ready <= 0 && !(ready < 0 && errno == EINTR))
        return news;
    if (files[1].revents || ready < 0)
        read_signals(&news);
    if (news.has_resumed)
        take_over(); /* whoever stopped us may have used the terminal */
    news.has_input = files[0].revents & POLLIN;
    if (files[0].revents & (POLLHUP | POLLERR | POLLNVAL) && !news.has_input && !news.ending)
        news.ending = SIGHUP;
    for (int i = 0; i < TTY_OTHERS; i++)
        news.others[i] = files[2 + i].revents != 0;
    return news;
}
