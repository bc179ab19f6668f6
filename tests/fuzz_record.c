/* Any bytes as a game record: rejected with a message, or parsed and printed back as itself. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "play/record.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    /* A valid header, so that the fuzzer reaches the steps; or none. */
    static const char head[] = "malpan-record 1\ngame box\nrules --tiles 9\nseats you random\n"
                               "seed 1\nstart 123456789 0 - -\n";
    size_t head_length = size > 0 && data[0] % 2 ? sizeof head - 1 : 0;
    char *text = malloc(head_length + size + 1);
    assert(text);
    memcpy(text, head, head_length);
    if (size > 1)
        memcpy(text + head_length, data + 1, size - 1);
    text[head_length + (size > 1 ? size - 1 : 0)] = '\0';
    Record record, again;
    Status status = record_parse(text, &record);
    if (status_is_ok(&status)) {
        char *printed = record_print(&record);
        assert(printed);
        status = record_parse(printed, &again);
        assert(status_is_ok(&status) && again.step_count == record.step_count);
        assert(memcmp(record_state(&again), record_state(&record), sizeof(State)) == 0);
        free(printed);
        record_close(&again);
        record_close(&record);
    } else {
        assert(status.message[0]);
    }
    free(text);
    return 0;
}
