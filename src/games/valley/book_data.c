/* The opening book. Written by `malpan valley book`; see book.h. */
#include "games/valley/book.h"

const uint32_t book_count = 0;
const uint8_t book_codes[] = {0};
