#!/usr/bin/env python3
"""The library as other programs see it: what it exports, how it is linked, the sizes of its structs.

Usage: tests/library.py FOLDER [--write]     --write replaces tests/data/abi.txt
"""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADER = ROOT / "include/malpan.h"
ABI = ROOT / "tests/data/abi.txt"
NEEDED = ["-lzstd", "-lxxhash", "-lpthread", "-lm"]
# The library neither prints, nor asks a terminal or the environment, nor ends the program.
FORBIDDEN = set("""abort _exit exit fgets fputs getenv getline ioctl isatty printf putchar puts raise
    readline scanf secure_getenv sigaction signal stderr stdin stdout system tcgetattr tcsetattr vprintf
    __printf_chk __fprintf_chk""".split())


def run(*command, **options):
    return subprocess.run([str(word) for word in command], check=True, text=True,
                          stdout=subprocess.PIPE, **options).stdout


def symbols(*command):
    """The names that nm lists."""
    return {line.split()[-1].split("@")[0] for line in run("nm", *command).splitlines()
            if len(line.split()) >= 2 and not line.endswith(":")}


def exported(build):
    """The names that both libraries define, which have to be the same."""
    shared = symbols("-D", "--defined-only", build / "libmalpan.so") - {"MALPAN_1.0"}
    static = symbols("-g", "--defined-only", build / "libmalpan.a")
    assert shared == static, f"only in one of the libraries: {sorted(shared ^ static)}"
    others = [name for name in shared if not name.startswith("malpan_")]
    assert not others, f"exported: {others}"
    return sorted(shared)


def declared():
    """The functions of the header."""
    return sorted(re.findall(r"^MALPAN_API [^;]*?\b(malpan_\w+)\(", HEADER.read_text(), re.M))


def structs():
    """The structs of the header whose members are public, each with its members."""
    text = re.sub(r"/\*.*?\*/", "", HEADER.read_text(), flags=re.S)
    found = {}
    for body, name in re.findall(r"typedef struct \w+ \{(.*?)\} (\w+);", text, re.S):
        members = re.findall(r"(\w+)(?:\[[^]]*\])*\s*[;,]", re.sub(r"\(\*(\w+)\)\([^)]*\)", r"\1", body))
        found[name] = members
    return found


def build(folder, source, output, *flags, compiler="cc"):
    """Compiles and links a program."""
    run(compiler, "-Wall", "-Wextra", "-Werror", f"-I{ROOT}/include", source, *flags, "-o", output)
    return output


def sizes(folder):
    """The size of each struct and the offset of each member: lines of text."""
    lines = []
    for name, members in structs().items():
        lines.append(f'printf("struct {name} %zu\\n", sizeof({name}));')
        lines += [f'printf("member {name}.{member} %zu\\n", offsetof({name}, {member}));'
                  for member in members]
    source = folder / "sizes.c"
    source.write_text("#include <malpan.h>\n#include <stddef.h>\n#include <stdio.h>\n"
                      "int main(void) {\n" + "\n".join(lines) + "\n}\n")
    return run(build(folder, source, folder / "sizes")).splitlines()


def test_abi(build_folder, folder, write):
    """The symbols, sizes and offsets are those of the committed list."""
    names = exported(build_folder)
    assert names == declared(), f"declared or exported only: {set(names) ^ set(declared())}"
    now = "".join(f"{line}\n" for line in [f"function {name}" for name in names] + sizes(folder))
    if write:
        ABI.write_text(now)
    assert ABI.read_text() == now, ("the ABI is not that of tests/data/abi.txt; if the change is "
                                    "meant, run tests/library.py . --write")


def test_every_function_is_tested():
    """With arguments that nobody should pass, and by several threads."""
    for name in ("test_library_abuse.c", "test_library_threads.c"):
        text = (ROOT / "tests" / name).read_text()
        missing = [function for function in declared() if not re.search(rf"\b{function}\(", text)]
        assert not missing, f"{name} does not call {missing}"


def test_threads_are_documented():
    """Every declaration says which threads may call it."""
    blocks = [block for block in HEADER.read_text().split("\n\n")
              if "MALPAN_API " in block and "#define" not in block]
    assert len(blocks) > 50
    for block in blocks:
        assert re.search(r"\bthreads?\b", block, re.I), block


def test_reference():
    """docs/api.md is that of the header, with a place for every function."""
    run(ROOT / "scripts/api-docs", "--check")
    page = (ROOT / "docs/api.md").read_text()
    for name in declared():
        assert page.count(f'<a id="{name}">') == 1 and f"[{name}](#{name})" in page, name


def test_nothing_forbidden(build_folder):
    used = symbols("-u", build_folder / "malpan.o")
    assert not used & FORBIDDEN, f"the library uses {sorted(used & FORBIDDEN)}"


def test_shared_object(build_folder):
    """It has its name, is position-independent, and names what it needs."""
    dynamic = run("readelf", "-d", build_folder / "libmalpan.so")
    assert "Library soname: [libmalpan.so.1]" in dynamic, dynamic
    assert "TEXTREL" not in dynamic, dynamic
    assert "libzstd" in dynamic and "libxxhash" in dynamic, dynamic


def test_versions_agree(build_folder):
    """The Makefile, the header's text and its three numbers."""
    header = HEADER.read_text()
    numbers = [re.search(rf"MALPAN_VERSION_{part} (\d+)", header).group(1)
               for part in ("MAJOR", "MINOR", "PATCH")]
    text = re.search(r'MALPAN_VERSION "(.*)"', header).group(1)
    assert text == ".".join(numbers), (text, numbers)
    assert (build_folder / f"libmalpan.so.{text}").exists(), "VERSION in the Makefile"


CLASHING = """#include <malpan.h>
#include <stdio.h>
#include <string.h>
%s
int main(void) {
    printf("%%s\\n", malpan_version());
    return strcmp(malpan_version(), MALPAN_VERSION) != 0;
}
"""


def test_names_do_not_clash(build_folder, folder):
    """A program may define any name that the library uses inside."""
    names = symbols("-g", "--defined-only", build_folder / "internal.a")
    names = sorted(name for name in names if re.fullmatch(r"[a-z]\w*", name)
                   and not name.startswith("malpan_"))
    assert "quote" in names and len(names) > 300, names
    source = folder / "clashing.c"
    source.write_text(CLASHING % "\n".join(
        f"void {name}(void);\nvoid {name}(void) {{ puts(\"{name}\"); }}" for name in names))
    static = build(folder, source, folder / "static", build_folder / "libmalpan.a", *NEEDED)
    shared = build(folder, source, folder / "shared", f"-L{build_folder}", "-lmalpan",
                   f"-Wl,-rpath,{build_folder},--export-dynamic")
    version = re.search(r'MALPAN_VERSION "(.*)"', HEADER.read_text()).group(1)
    assert run(static) == run(shared) == version + "\n"


def main():
    build_folder = (ROOT / ("build" if sys.argv[1] == "." else sys.argv[1])).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        test_abi(build_folder, folder, "--write" in sys.argv)
        test_every_function_is_tested()
        test_threads_are_documented()
        test_reference()
        test_nothing_forbidden(build_folder)
        test_shared_object(build_folder)
        test_versions_agree(build_folder)
        test_names_do_not_clash(build_folder, folder)
    print("8 passed, 0 failed")


if __name__ == "__main__":
    main()
