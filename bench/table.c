/* Speed of writing and probing a table, compared with a plain file of the same values.
 *
 *     table FOLDER
 *
 * The table has ten million probabilities of 24 bits that change smoothly along three coordinates,
 * as in a race. The probes are random, and the cache is so small that nearly each one has to read,
 * check and unpack a block; the file itself is in the page cache.
 */
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/random.h"
#include "table/writer.h"

enum { SIDE = 216, COUNT = SIDE * SIDE * SIDE, BYTES = 3, PROBES = 300000, GOAL_RATE = 100000 };

static void check(Status status) {
    if (!status_is_ok(&status)) {
        fprintf(stderr, "table: %s\n", status.message);
        exit(1);
    }
}

static uint32_t code_at(int mine, int other, int start) {
    double x = (double)mine / SIDE, y = (double)other / SIDE, z = (double)start / SIDE;
    double lead = 6 * (x - y) + 2 * sqrt(0.01 + z) * (1.2 - x * y);
    return table_chance_code(1 / (1 + exp(-lead)), BYTES);
}

static void fill(uint32_t *codes) {
    for (int i = 0; i < COUNT; i++)
        codes[i] = code_at(i / SIDE / SIDE, i / SIDE % SIDE, i % SIDE);
}

/* Seconds to write the table. */
static double write_table(const char *path, const uint32_t *codes, uint32_t block_values,
                          int threads) {
    TableInfo info = {.game = "bench",
                      .count = COUNT,
                      .value_bytes = BYTES,
                      .meaning = TABLE_CHANCE,
                      .error = 1e-7,
                      .block_values = block_values};
    TableWriter *writer;
    double start = progress_clock_s();
    check(table_writer_open(path, &info, threads, &writer));
    check(table_writer_add(writer, codes, COUNT));
    check(table_writer_finish(writer, NULL));
    return progress_clock_s() - start;
}

static void check_value(uint32_t code, uint32_t expected) {
    if (code != expected)
        check(status_make(STATUS_FAILED, "a wrong value"));
}

/* Random probes a second. */
static double probe(TableReader *reader, const uint32_t *codes) {
    Random random = random_from_seed(1, 0);
    double start = progress_clock_s();
    for (int i = 0; i < PROBES; i++) {
        uint64_t index = random_below(&random, COUNT);
        uint32_t code = 0;
        check(table_get(reader, index, &code));
        check_value(code, codes[index]);
    }
    return PROBES / (progress_clock_s() - start);
}

/* The second time round, so that a large cache is full. */
static double probe_table(const char *path, const uint32_t *codes, size_t cache_bytes) {
    Table *table;
    TableReader *reader;
    check(table_open(path, &table));
    check(table_reader_open(table, cache_bytes, &reader));
    probe(reader, codes);
    double rate = probe(reader, codes);
    table_reader_close(reader);
    table_close(table);
    return rate;
}

/* The same for a plain file of four bytes a value. */
static double probe_plain(const char *path, const uint32_t *codes, double *write_s) {
    Random random = random_from_seed(1, 0);
    double start = progress_clock_s();
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    for (size_t done = 0; file >= 0 && done < COUNT * sizeof *codes;) {
        ssize_t written = write(file, (const char *)codes + done, COUNT * sizeof *codes - done);
        if (written < 0)
            check(status_from_errno("cannot write", path));
        done += (size_t)written;
    }
    if (file < 0 || fsync(file) != 0)
        check(status_from_errno("cannot write", path));
    *write_s = progress_clock_s() - start;
    start = progress_clock_s();
    for (int i = 0; i < PROBES; i++) {
        uint64_t index = random_below(&random, COUNT);
        uint32_t code;
        if (pread(file, &code, sizeof code, (off_t)(index * sizeof code)) != sizeof code)
            check(status_from_errno("cannot read", path));
        check_value(code, codes[index]);
    }
    double seconds = progress_clock_s() - start;
    close(file);
    return PROBES / seconds;
}

static double file_mb(const char *path) {
    FILE *file = fopen(path, "rbe");
    if (!file || fseek(file, 0, SEEK_END) != 0)
        check(status_from_errno("cannot read", path));
    double size = (double)ftell(file);
    fclose(file);
    return size / 1e6;
}

static void run(const char *path, const char *plain) {
    static const uint32_t block_values[] = {1024, 2048, 4096};
    uint32_t *codes = malloc(COUNT * sizeof *codes);
    if (!codes)
        check(status_make(STATUS_FAILED, "out of memory"));
    fill(codes);
    double plain_s;
    double plain_rate = probe_plain(plain, codes, &plain_s);
    printf("tables: %d chances of 24 bits, %.1f MB\n", COUNT, BYTES * COUNT / 1e6);
    printf("  a plain file: written in %.2f s, %.0f probes/s\n", plain_s, plain_rate);
    for (size_t i = 0; i < sizeof block_values / sizeof block_values[0]; i++) {
        double one_s = write_table(path, codes, block_values[i], 1);
        double two_s = write_table(path, codes, block_values[i], 2);
        double rate = probe_table(path, codes, 64 << 10);
        double cached_rate = probe_table(path, codes, 64 << 20);
        printf(
            "  %u values a block: %.1f MB, written in %.2f s (two threads: %.2f s), %.0f probes/s "
            "(from the cache: %.0f)",
            block_values[i], file_mb(path), one_s, two_s, rate, cached_rate);
        if (block_values[i] == TABLE_BLOCK_VALUES)
            printf(", goal %d: %s", GOAL_RATE, rate >= GOAL_RATE ? "reached" : "MISSED");
        printf("\n");
    }
    free(codes);
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: table FOLDER\n");
        return 2;
    }
    char path[PATH_MAX], plain[PATH_MAX];
    snprintf(path, sizeof path, "%s/bench.table", argv[1]);
    snprintf(plain, sizeof plain, "%s/bench.plain", argv[1]);
    run(path, plain);
    remove(path);
    remove(plain);
    return 0;
}
