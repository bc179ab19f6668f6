/* `malpan valley book FILE`: writes the opening book of a setup as a C source file, from the table
 * of four soldiers a side. */
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

static void print_source(const uint8_t found[], const Book *book, ValleyStart start, Text *text) {
    enum { PER_LINE = 24 };
    size_t count = book->count;
    text_addf(text, "/* An opening book. Written by `malpan valley book`; see book.h. */\n"
                    "#include \"games/valley/search/book.h\"\n\n"
                    "/* clang-format off */\n"
                    "static const uint8_t codes[] = {\n");
    for (size_t i = 0; i < count; i++)
        text_addf(text, "%s%u,%s", i % PER_LINE == 0 ? "    " : "", found[i],
                  i % PER_LINE == PER_LINE - 1 || i + 1 == count ? "\n" : " ");
    text_addf(text,
              "};\n\n"
              "const BookData %s = {.count = %zu, .sum = 0x%016" PRIx64 ", .codes = codes};\n",
              start == VALLEY_RETRIEVE ? "book_retrieve" : "book_standard", count,
              book_sum_of(book));
}

static Status write_book(const ValleyTablebase *tablebase, ValleyStart start, const char *path,
                         Text *output) {
    Book book;
    Status status = book_open(&book, start);
    size_t room = 4096 + 8 * book.count;
    uint8_t *found = calloc(book.count + 1, sizeof *found);
    char *bytes = malloc(room);
    if (status_is_ok(&status) && (!found || !bytes))
        status = status_make(STATUS_FAILED, "out of memory");
    if (status_is_ok(&status))
        status = find_codes(tablebase, &book, found);
    if (status_is_ok(&status)) {
        Text text = text_over(bytes, room);
        print_source(found, &book, start, &text);
        status = file_replace(path, bytes, text.length);
        text_addf(output, "%zu positions\n", book.count);
    }
    free(found);
    free(bytes);
    book_close(&book);
    return status;
}

Status valley_book_run(const GameCall *call, Text *output) {
    Variant variant = {.game = &valley_game, .rules = call->rules};
    ValleyRules rules = valley_rules(&call->rules);
    Table *table;
    if (rules.soldiers != VALLEY_SOLDIERS_MAX)
        return status_make(STATUS_UNSUPPORTED, "--soldiers: a book is for four soldiers a side");
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
        status = write_book(tablebase, rules.start, call->words[0], output);
        table_reader_close(tablebase->reader);
    }
    free(tablebase);
    table_close(table);
    return status;
}
