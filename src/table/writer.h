/* Makes a table file: open, add all values in their order, finish.
 *
 * The values go to a temporary file beside the target, which takes the target's name when it is
 * whole and on the disk (base/file.h). Until then an older table stays in its place. The bytes of
 * the file do not depend on the number of threads, nor on how many values are added at a time. A
 * writer belongs to one thread at a time.
 */
#ifndef MALPAN_TABLE_WRITER_H
#define MALPAN_TABLE_WRITER_H

#include "table/table.h"

typedef struct TableWriter TableWriter;

/* Begins a table of info->count values; info->content is not looked at, and 0 block_values means
 * TABLE_BLOCK_VALUES. Compresses with so many threads. Waits while another writer has the file. */
Status table_writer_open(const char *path, const TableInfo *info, int threads,
                         TableWriter **writer);

/* Adds the next `count` codes, each no larger than table_code_max; in all, there must not be more
 * than info->count. After a failure there is nothing left but to abandon. */
Status table_writer_add(TableWriter *writer, const uint32_t codes[], size_t count);

/* Puts the table, which must have all its values by now, in its place; the checksum of the values
 * goes to `content` unless that is NULL. The writer is gone afterwards, also when this fails;
 * either way what is at the target is whole. */
Status table_writer_finish(TableWriter *writer, uint64_t *content);

/* Gives up: nothing is left of the new table, and an older one stays. NULL is fine. */
void table_writer_abandon(TableWriter *writer);

#endif
