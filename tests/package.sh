#!/bin/bash
# Installs the Debian packages in a fresh Debian, uses them, and removes them without a trace. Needs root
# and a mirror ($MALPAN_MIRROR, else deb.debian.org). With $MALPAN_ROOT, a folder that debootstrap has
# made earlier, it starts from a copy of that.
#
#   tests/package.sh FOLDER      with the packages, as `make deb` leaves them
# shellcheck disable=SC2016 # the shell in the fresh system expands these
set -eu
[ "$(id -u)" -eq 0 ] || {
    echo "tests/package.sh: a fresh system can only be entered by root" >&2
    exit 1
}
packages=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")/.." && pwd)
root=$(mktemp -d)
trap 'rm -rf --one-file-system "$root"' EXIT
passed=0

# inside COMMAND...: in the fresh system, with a plain environment.
inside() {
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
        chroot "$root" "$@"
}

# apt COMMAND...: apt-get in the fresh system; what it says is shown if it fails.
log=$(mktemp)
apt() {
    inside apt-get -qq -y --no-install-recommends "$@" >"$log" 2>&1 || {
        tail -n 40 "$log"
        exit 1
    }
}

# holds WHAT COMMAND...
holds() {
    local what=$1
    shift
    "$@" || {
        echo "FAILED  $what"
        exit 1
    }
    passed=$((passed + 1))
    echo "ok      $what"
}

# prints EXPECTED COMMAND...: what the command says in the fresh system.
prints() {
    local expected=$1 got
    shift
    got=$(inside "$@") || return 1
    [ "$got" = "$expected" ] || {
        echo "'$*' printed '$got', expected '$expected'"
        return 1
    }
}

# All files, but those that package management keeps for itself.
list_files() {
    (cd "$root" && find . -xdev \( -path ./var/lib/dpkg -o -path ./var/lib/apt -o -path ./var/cache -o \
        -path ./var/log -o -path ./tmp -o -path ./packages -o -path ./etc/ld.so.cache -o \
        -path ./proc -o -path ./dev -o -path ./root -o -name __pycache__ \) -prune -o -print | sort)
}

if [ -n "${MALPAN_ROOT:-}" ]; then
    cp -a "$MALPAN_ROOT/." "$root"
else
    debootstrap --variant=minbase bookworm "$root" ${MALPAN_MIRROR:+"$MALPAN_MIRROR"} >"$log" 2>&1 || {
        tail "$log"
        exit 1
    }
fi
# What the packages need, and what they are used with. Nothing of it is ours.
apt update
apt install gcc libc6-dev pkg-config cmake make python3 man-db \
    libjansson4 libmicrohttpd12 libsodium23 libsqlite3-0 libxxhash-dev libzstd-dev
before=$(mktemp)
list_files >"$before"
trap 'rm -rf --one-file-system "$root" "$before" "$log"' EXIT

mkdir "$root/packages"
cp "$packages"/*.deb "$root/packages"
rm -f "$root"/packages/*-dbgsym_*
cp "$here/docs/examples/first.c" "$root/packages"
names=("$root"/packages/*.deb)
apt install "${names[@]#"$root"}"

value=0.502810
holds "all four are installed" prints 4 sh -c 'dpkg -l "*malpan*" | grep -c ^ii'
holds "malpan" prints $value malpan eval box --value
holds "ShutTheBox" prints $value ShutTheBox --one --expect 123456789
holds "diceyut" prints 190 sh -c 'echo 1 2 3 4 1 2 3 4 1 2 | diceyut'
holds "yutrace" inside sh -c 'yutrace 5 10 >/dev/null'
holds "yunnori" inside sh -c 'yunnori --version >/dev/null'
for page in malpan ShutTheBox diceyut yunnori yutrace; do
    holds "man $page" inside sh -c "man $page | grep -q $page"
done
holds "pkg-config, shared" prints $value sh -c 'cd /tmp &&
    cc -Werror /packages/first.c $(pkg-config --cflags --libs malpan) -o shared && ./shared'
holds "static" prints $value sh -c 'cd /tmp &&
    cc -Werror /packages/first.c -l:libmalpan.a $(pkg-config --static --libs-only-l malpan |
        sed s/-lmalpan//) -o static && ./static && ! ldd static | grep -q malpan'
holds "CMake" prints $value sh -c 'mkdir /tmp/cmake && cd /tmp/cmake && cp /packages/first.c . &&
    printf "%s\n" "cmake_minimum_required(VERSION 3.13)" "project(first C)" \
        "find_package(malpan 1.0 REQUIRED)" "add_executable(first first.c)" \
        "target_link_libraries(first malpan::malpan)" >CMakeLists.txt &&
    cmake . >/dev/null && make >/dev/null && ./first'
holds "Python" prints $value python3 -c \
    'import malpan; print("%.6f" % malpan.load("box").start().value())'
holds "Python knows the version" prints 1.0.0 python3 -c \
    'import importlib.metadata; print(importlib.metadata.version("malpan"))'
holds "bash completes" inside bash -c '. /usr/share/bash-completion/completions/malpan
    COMP_WORDS=(malpan rev) COMP_CWORD=1; _malpan; [ "${COMPREPLY[*]}" = review ]'
holds "zsh and fish scripts" test -s "$root/usr/share/zsh/vendor-completions/_malpan" -a \
    -s "$root/usr/share/fish/vendor_completions.d/malpan.fish"
holds "desktop entry" desktop-file-validate "$root/usr/share/applications/malpan.desktop"
holds "icon" grep -q '<svg' "$root/usr/share/icons/hicolor/scalable/apps/malpan.svg"
holds "service" grep -q 'ExecStart=/usr/bin/malpan serve' "$root/lib/systemd/system/malpan.service"
holds "the page is served" inside python3 -c '
import re, subprocess, urllib.request
server = subprocess.Popen(["malpan", "serve", "--port", "0", "--data", "/tmp/games"], text=True,
                          stdout=subprocess.PIPE)
address = re.search(r"http://[\d.:]+", server.stdout.readline()).group()
assert b"<title>" in urllib.request.urlopen(address, timeout=60).read()
server.terminate()
assert server.wait(60) == 0'

apt purge malpan libmalpan1 libmalpan-dev python3-malpan
holds "all four are removed" prints 0 sh -c 'dpkg -l "*malpan*" 2>/dev/null | grep -c ^ii || true'
list_files >"$root/packages/after"
holds "nothing is left behind" diff "$before" "$root/packages/after"
echo "$passed passed, 0 failed"
