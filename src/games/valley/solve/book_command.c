/* `malpan valley book FILE`: writes the opening book as a C source file, from the table of four
 * soldiers a side. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/file.h"
#include "games/valley/search/book.h"
#include "games/valley/solve/facts.h"

/* Looks up the codes of all positions of the book. */
static Status find_codes(const ValleyTablebase *tablebase, const Book *book, uint8_t found[]) {
    for (size_t i = 0; i < book->count; i++) {
        ValleyState valley = valley_state(&book->states[i]);
        uint32_t code = 0;
        if (tablebase_probe_state(tablebase, &valley, &code) != STATUS_OK)
            return tablebase_failure(tablebase);
        found[i] = (uint8_t)code;
    }
    return status_ok();
}

static void print_source(const uint8_t found[], const Book *book, Text *text) {
    enum { PER_LINE = 24 };
    size_t count = book->count;
    text_addf(text,
              "/* The opening book. Written by `malpan valley book`; see book.h. */\n"
              "#include \"games/valley/search/book.h\"\n\n"
              "/* clang-format off */\n"
              "const uint32_t book_count = %zu;\n"
              "const uint64_t book_sum = 0x%016" PRIx64 ";\n"
              "const uint8_t book_codes[] = {\n",
              count, book_sum_of(book));
    for (size_t i = 0; i < count; i++)
        text_addf(text, "%s%u,%s", i % PER_LINE == 0 ? "    " : "", found[i],
                  i % PER_LINE == PER_LINE - 1 || i + 1 == count ? "\n" : " ");
    text_add(text, "};\n");
}

static Status write_book(const ValleyTablebase *tablebase, const char *path, Text *output) {
    Book book;
    Status status = book_open(&book);
    size_t room = 4096 + 8 * book.count;
    uint8_t *found = calloc(book.count + 1, sizeof *found);
    char *bytes = malloc(room);
    if (status_is_ok(&status) && (!found || !bytes))
        status = status_make(STATUS_FAILED, "out of memory");
    if (status_is_ok(&status))
        status = find_codes(tablebase, &book, found);
    if (status_is_ok(&status)) {
        Text text = text_over(bytes, room);
        print_source(found, &book, &text);
        status = file_replace(path, bytes, text.length);
        text_addf(output, "%zu positions\n", book.count);
    }
    free(found);
    free(bytes);
    book_close(&book);
    return status;
}

Status valley_book_run(const GameCall *call, Text *output) {
    Variant variant = variant_default(&valley_game);
    Table *table;
    Status status = call->services->open_table(&variant, call->limits, &table);
    if (!status_is_ok(&status))
        return status;
    ValleyTablebase *tablebase = calloc(1, sizeof *tablebase);
    status = tablebase ? status_ok() : status_make(STATUS_FAILED, "out of memory");
    if (status_is_ok(&status)) {
        ranking_init(&tablebase->ranking, VALLEY_SOLDIERS_MAX);
        status = valley_check_table(table, &tablebase->ranking);
    }
    if (status_is_ok(&status))
        status = table_reader_open(table, 1 << 20, &tablebase->reader);
    if (status_is_ok(&status)) {
        status = write_book(tablebase, call->words[0], output);
        table_reader_close(tablebase->reader);
    }
    free(tablebase);
    table_close(table);
    return status;
}
