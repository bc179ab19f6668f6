/* The part of zstd that src/table uses, in a module that opens no files: there are no tables to be
 * unpacked, and none can be packed. */
#include <zstd.h>

ZSTD_CCtx *ZSTD_createCCtx(void) {
    return NULL;
}

size_t ZSTD_freeCCtx(ZSTD_CCtx *context) {
    (void)context;
    return 0;
}

size_t ZSTD_CCtx_setParameter(ZSTD_CCtx *context, ZSTD_cParameter parameter, int value) {
    (void)context, (void)parameter, (void)value;
    return (size_t)-1;
}

size_t ZSTD_CCtx_reset(ZSTD_CCtx *context, ZSTD_ResetDirective reset) {
    (void)context, (void)reset;
    return (size_t)-1;
}

size_t ZSTD_CCtx_setPledgedSrcSize(ZSTD_CCtx *context, unsigned long long size) {
    (void)context, (void)size;
    return (size_t)-1;
}

size_t ZSTD_compressStream2(ZSTD_CCtx *context, ZSTD_outBuffer *out, ZSTD_inBuffer *in,
                            ZSTD_EndDirective end) {
    (void)context, (void)out, (void)in, (void)end;
    return (size_t)-1;
}

unsigned ZSTD_isError(size_t code) {
    return code == (size_t)-1;
}

ZSTD_DCtx *ZSTD_createDCtx(void) {
    return NULL;
}

size_t ZSTD_freeDCtx(ZSTD_DCtx *context) {
    (void)context;
    return 0;
}

unsigned long long ZSTD_getFrameContentSize(const void *bytes, size_t size) {
    (void)bytes, (void)size;
    return ZSTD_CONTENTSIZE_ERROR;
}

size_t ZSTD_findFrameCompressedSize(const void *bytes, size_t size) {
    (void)bytes, (void)size;
    return (size_t)-1;
}

size_t ZSTD_decompressDCtx(ZSTD_DCtx *context, void *target, size_t room, const void *bytes,
                           size_t size) {
    (void)context, (void)target, (void)room, (void)bytes, (void)size;
    return (size_t)-1;
}
