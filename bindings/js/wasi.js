// The part of WASI that the module needs: clocks, random numbers and messages. It has no files and no
// environment.

const OK = 0, BAD_FILE = 8, NOT_FOUND = 44, NOT_SUPPORTED = 58;
const REALTIME = 0;
const RANDOM_MAX = 65536; // bytes that getRandomValues gives at once

// Functions to import; `memory` returns the module's memory, `write(file, text)` receives what it prints.
export function wasi(memory, write) {
  const view = () => new DataView(memory().buffer);
  const decoders = [null, new TextDecoder(), new TextDecoder()];
  const now = (clock) => BigInt(Math.round((clock === REALTIME ? Date.now() : performance.now()) * 1e6));
  const functions = {
    clock_time_get(clock, precision, result) {
      view().setBigUint64(result, now(clock), true);
      return OK;
    },
    // There are no variables.
    environ_sizes_get(count, bytes) {
      view().setUint32(count, 0, true);
      view().setUint32(bytes, 0, true);
      return OK;
    },
    environ_get: () => OK,
    random_get(at, size) {
      for (let done = 0; done < size; done += RANDOM_MAX)
        crypto.getRandomValues(new Uint8Array(memory().buffer, at + done, Math.min(RANDOM_MAX, size - done)));
      return OK;
    },
    fd_write(file, parts, count, result) {
      let size = 0;
      if (file !== 1 && file !== 2) return BAD_FILE;
      for (let i = 0; i < count; i++) {
        const at = view().getUint32(parts + 8 * i, true), length = view().getUint32(parts + 8 * i + 4, true);
        write(file, decoders[file].decode(new Uint8Array(memory().buffer, at, length), { stream: true }));
        size += length;
      }
      view().setUint32(result, size, true);
      return OK;
    },
    proc_exit(code) {
      throw Object.assign(new Error(`the module ended with ${code}`), { exitCode: code });
    },
  };
  // Of files there are only standard output and standard error; there is no folder in which others could be.
  const missing = (name) => () => (name.startsWith("path_") ? NOT_FOUND : name.startsWith("fd_") ? BAD_FILE : NOT_SUPPORTED);
  return new Proxy(functions, { get: (known, name) => known[name] ?? missing(name), has: () => true });
}
