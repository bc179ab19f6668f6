/* Writes a table file: open, add all values in order, finish.
 *
 * The values go to a temporary file beside the target, which replaces the target atomically when it
 * is complete and on disk (base/file.h). Until then an older table stays in place. The bytes of the
 * file do not depend on the number of threads, nor on how many values are added at a time.
 *
 * A writer belongs to one thread at a time. It compresses with threads of its own.
 */
#ifndef MALPAN_TABLE_WRITER_H
#define MALPAN_TABLE_WRITER_H

#include "table/table.h"

typedef struct TableWriter TableWriter;

/* Starts a table of info->count values. info->content is ignored, and block_values 0 means
 * TABLE_BLOCK_VALUES. Waits while another writer has the file. The caller finishes or abandons the
 * writer. */
Status table_writer_open(const char *path, const TableInfo *info, int threads,
                         TableWriter **writer);

/* Adds the next `count` codes, each at most table_code_max; there must not be more than info->count
 * in total. After a failure the writer can only be abandoned. */
Status table_writer_add(TableWriter *writer, const uint32_t codes[], size_t count);

/* Completes the table, which must have all its values, and moves it to its path. Sets *content to
 * the checksum of the values unless `content` is NULL. Frees the writer, also after a failure;
 * either way the file at the path is complete, old or new. */
Status table_writer_finish(TableWriter *writer, uint64_t *content);

/* Discards the new table and frees the writer; an older table stays. NULL is allowed. */
void table_writer_abandon(TableWriter *writer);

#endif
