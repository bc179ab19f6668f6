#include "terminal/progress_line.h"

#include <inttypes.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/text.h"

enum { LINE_BYTES = 320 };

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

/* How many columns a line may take without reaching the right edge of the terminal, where some
 * terminals wrap. Asked for every line, as a window may be resized at any time. */
static int line_columns(const ProgressLine *line) {
    enum { COLUMNS_UNKNOWN = 80 };
    struct winsize size;
    if (ioctl(fileno(line->stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return COLUMNS_UNKNOWN - 1;
    return size.ws_col - 1;
}

static int smaller(int a, int b) {
    return a < b ? a : b;
}

/* Shows a text, which is cut to the width of a terminal, over the one shown before. */
static void show_text(ProgressLine *line, char *text) {
    if (line->rewrite) {
        int columns = line_columns(line);
        text_cut_columns(text, columns);
        int width = text_columns(text), old_width = smaller(line->width, columns);
        fprintf(line->stream, "\r%s%*s", text, old_width > width ? old_width - width : 0, "");
        line->width = width;
    } else {
        fprintf(line->stream, "%s\n", text);
    }
    fflush(line->stream);
}

static void add_units(Text *text, const ProgressUpdate *update) {
    double rate = (double)update->done / update->elapsed_s;
    if (update->total > 0)
        text_addf(text, "  %.0f %%", 100.0 * (double)update->done / (double)update->total);
    text_add(text, "  ");
    add_grouped(text, update->done);
    if (update->total > 0) {
        text_add(text, " of ");
        add_grouped(text, update->total);
    }
    text_add(text, "  ");
    add_grouped(text, (uint64_t)rate);
    text_add(text, "/s");
    if (update->total > update->done && rate > 0) {
        text_add(text, "  ");
        add_duration(text, (double)(update->total - update->done) / rate);
        text_add(text, " left");
    }
}

static void add_sweep(Text *text, const ProgressSweep *sweep) {
    text_addf(text, "  %s  sweep %d  %.0f %%  change %.1e  %.1f M/s", sweep->stage, sweep->number,
              100 * sweep->done, sweep->change, sweep->rate / 1e6);
    if (sweep->seconds_left > 0) {
        text_add(text, "  about ");
        add_duration(text, sweep->seconds_left);
        text_add(text, " left");
    }
}

static void show_update(Progress *progress, const ProgressUpdate *update) {
    char bytes[LINE_BYTES];
    Text text = text_over(bytes, sizeof bytes);
    text_add(&text, update->what);
    if (update->sweep)
        add_sweep(&text, update->sweep);
    else
        add_units(&text, update);
    show_text((ProgressLine *)progress, bytes);
}

/* Wipes the line from a terminal. */
static void clear_line(Progress *progress) {
    ProgressLine *line = (ProgressLine *)progress;
    if (line->rewrite && line->width > 0) {
        fprintf(line->stream, "\r%*s\r", smaller(line->width, line_columns(line)), "");
        fflush(line->stream);
    }
    line->width = 0;
}

ProgressLine progress_line_on(FILE *stream, bool asked) {
    bool rewrite = isatty(fileno(stream)) == 1;
    return (ProgressLine){.base = {.show = rewrite || asked ? show_update : NULL,
                                   .clear = clear_line,
                                   .first_s = 0.3,
                                   .between_s = rewrite ? 0.1 : 5.0},
                          .stream = stream,
                          .rewrite = rewrite};
}
