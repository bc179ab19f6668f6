#include "base/progress.h"

#include <inttypes.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"

enum { LINE_BYTES = 320 };

double progress_clock_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

Progress progress_on(FILE *stream, bool asked) {
    Progress progress = {.stream = NULL, .rewrite = isatty(fileno(stream)) == 1};
    if (progress.rewrite || asked)
        progress.stream = stream;
    return progress;
}

void progress_start(Progress *progress, const char *what) {
    if (!progress)
        return;
    progress->what = what;
    progress->started_s = progress_clock_s();
    progress->shown_s = 0;
    progress->width = 0;
}

/* 1234567 as 1,234,567. */
static void add_grouped(Text *text, uint64_t number) {
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, number);
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            text_add_char(text, ',');
        text_add_char(text, digits[i]);
    }
}

static void add_duration(Text *text, double seconds) {
    uint64_t s = (uint64_t)(seconds + 0.5);
    if (s < 120)
        text_addf(text, "%" PRIu64 " s", s);
    else if (s < 7200)
        text_addf(text, "%" PRIu64 " min", s / 60);
    else
        text_addf(text, "%" PRIu64 " h %" PRIu64 " min", s / 3600, s / 60 % 60);
}

/* Whether a line is due now. */
static bool is_due(Progress *progress) {
    const double first_s = 0.3; /* short work shows no line */
    if (!progress || !progress->stream)
        return false;
    double now = progress_clock_s();
    double between_s = progress->rewrite ? 0.1 : 5.0;
    if (now - progress->started_s < first_s ||
        (progress->shown_s > 0 && now - progress->shown_s < between_s))
        return false;
    progress->shown_s = now;
    return true;
}

/* How many columns a line may take without reaching the right edge of the terminal, where some
 * terminals wrap. Asked for every line, as a window may be resized at any time. */
static int line_columns(const Progress *progress) {
    enum { COLUMNS_UNKNOWN = 80 };
    struct winsize size;
    if (ioctl(fileno(progress->stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return COLUMNS_UNKNOWN - 1;
    return size.ws_col - 1;
}

static int smaller(int a, int b) {
    return a < b ? a : b;
}

/* Shows a line, which is cut to the width of a terminal, over the one shown before. */
static void show_line(Progress *progress, char *line) {
    if (progress->rewrite) {
        int columns = line_columns(progress);
        text_cut_columns(line, columns);
        int width = text_columns(line), old_width = smaller(progress->width, columns);
        fprintf(progress->stream, "\r%s%*s", line, old_width > width ? old_width - width : 0, "");
        progress->width = width;
    } else {
        fprintf(progress->stream, "%s\n", line);
    }
    fflush(progress->stream);
}

void progress_report(Progress *progress, uint64_t done, uint64_t total) {
    if (!is_due(progress))
        return;
    char bytes[LINE_BYTES];
    Text line = text_over(bytes, sizeof bytes);
    double rate = (double)done / (progress->shown_s - progress->started_s);
    text_add(&line, progress->what);
    if (total > 0)
        text_addf(&line, "  %.0f %%", 100.0 * (double)done / (double)total);
    text_add(&line, "  ");
    add_grouped(&line, done);
    if (total > 0) {
        text_add(&line, " of ");
        add_grouped(&line, total);
    }
    text_add(&line, "  ");
    add_grouped(&line, (uint64_t)rate);
    text_add(&line, "/s");
    if (total > done && rate > 0) {
        text_add(&line, "  ");
        add_duration(&line, (double)(total - done) / rate);
        text_add(&line, " left");
    }
    show_line(progress, bytes);
}

void progress_sweep(Progress *progress, const ProgressSweep *sweep) {
    if (!is_due(progress))
        return;
    char bytes[LINE_BYTES];
    Text line = text_over(bytes, sizeof bytes);
    text_addf(&line, "%s  %s  sweep %d  %.0f %%  change %.1e  %.1f M/s", progress->what,
              sweep->stage, sweep->number, 100 * sweep->done, sweep->change, sweep->rate / 1e6);
    if (sweep->seconds_left > 0) {
        text_add(&line, "  about ");
        add_duration(&line, sweep->seconds_left);
        text_add(&line, " left");
    }
    show_line(progress, bytes);
}

void progress_finish(Progress *progress) {
    if (!progress || !progress->stream)
        return;
    if (progress->rewrite && progress->width > 0) {
        fprintf(progress->stream, "\r%*s\r", smaller(progress->width, line_columns(progress)), "");
        fflush(progress->stream);
    }
    progress->width = 0;
}
