#!/bin/bash
# What scripts/setup does about missing packages: with a compiler that cannot find a header, a PATH
# that lacks a program, and an apt-get that only pretends.
#
#   tests/setup.sh FOLDER      FOLDER is not used
set -u
cd "$(dirname "$0")/.." || exit 1
unset MAKEFLAGS MAKELEVEL MFLAGS SETUP CC BUILD SANITIZE OPTIMIZE

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
real_cc=$(command -v cc || command -v gcc || command -v clang)
passed=0
failed=0

# A compiler that does not find the headers in $HIDDEN, a list separated by |.
cat >"$folder/cc" <<END
#!/bin/sh
source=\$(cat; echo .)
source=\${source%.}
if [ -n "\${HIDDEN:-}" ] && printf '%s' "\$source" | grep -qE "<(\$HIDDEN)>"; then
    exit 1
fi
printf '%s' "\$source" | $real_cc "\$@"
END

# The programs that scripts/setup itself uses, and those it looks for in the group `build`.
mkdir "$folder/bin"
for name in sh bash env cat dirname grep mkdir tail touch make cmp as; do
    ln -s "$(command -v "$name")" "$folder/bin/$name"
done
printf '#!/bin/sh\necho 0\n' >"$folder/bin/id"
# It installs nothing, says so at length, and fails if told to.
cat >"$folder/apt-get" <<END
#!/bin/sh
echo "apt-get \$*" >>"$folder/calls"
echo "chatter of apt-get \$1"
[ "\$1" != "\${APT_FAILS:-}" ] || { echo "E: cannot \$1" >&2; exit 100; }
END
chmod +x "$folder/cc" "$folder/bin/id" "$folder/apt-get"

# expect NAME CODE OUTPUT COMMAND...: what it prints matches the extended regular expression OUTPUT
# as a whole, its lines joined by spaces; it exits with CODE.
expect() {
    local name=$1 code=$2 output=$3 got got_code
    shift 3
    got=$("$@" 2>&1 </dev/null)
    got_code=$?
    if [ "$got_code" -eq "$code" ] && [[ ${got//$'\n'/ } =~ ^$output$ ]]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf '%s: exit code %s, expected %s; it prints:\n%s\n' "$name" "$got_code" "$code" "$got"
    fi
}

# holds NAME COMMAND...: the command succeeds.
holds() {
    local name=$1
    shift
    if "$@" >/dev/null; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$name: does not hold"
    fi
}

# setup VARIABLE=VALUE... GROUP: scripts/setup where only the programs above exist.
setup() {
    env PATH="$folder/bin" CC="$folder/cc" BUILD="$folder/build" "${@:1:$#-1}" \
        scripts/setup "${@: -1}"
}

expect "nothing is missing" 0 "" setup SETUP=no build
expect "nothing is missing, and it may install" 0 "" setup build
expect "a compiler of several words" 0 "" setup SETUP=no CC="env $folder/cc" build
expect "a header is missing" 1 \
    ".*missing packages: libjansson-dev libsodium-dev .*nothing was installed.*SETUP=no" \
    setup SETUP=no HIDDEN="jansson.h|sodium.h" build
expect "a build needs neither cmocka nor python3" 0 "" setup SETUP=no HIDDEN=cmocka.h build
expect "tests need both" 1 ".*missing packages: libcmocka-dev g\\+\\+ python3 .*" \
    setup SETUP=no HIDDEN=cmocka.h test
expect "tests need what a build needs" 1 ".*packages: libzstd-dev libcmocka-dev g\\+\\+ python3 .*" \
    setup SETUP=no HIDDEN="zstd.h|cmocka.h" test
expect "development needs what tests need" 1 ".*libcmocka-dev g\\+\\+ python3 python3-pytest clang .*shellcheck .*" \
    setup SETUP=no HIDDEN=cmocka.h dev
expect "an unknown group" 2 ".*unknown group 'tests'.*" setup SETUP=no tests
expect "no apt-get" 1 ".*missing packages: libzstd-dev .*nothing was installed.*apt-get" \
    setup HIDDEN=zstd.h build
holds "so far nothing was logged" [ ! -e "$folder/build/setup.log" ]

ln -s "$folder/apt-get" "$folder/bin/apt-get"
expect "apt-get is there, but must not be used" 1 ".*missing packages: libzstd-dev .*" \
    setup SETUP=no HIDDEN=zstd.h build
holds "it was not" [ ! -e "$folder/calls" ]
expect "apt-get fails" 1 ".*exit code 100.* $folder/build/setup.log:.*E: cannot install" \
    setup APT_FAILS=install HIDDEN=zstd.h build
expect "apt-get succeeds, silently" 0 ".*: installing libzstd-dev libxxhash-dev [^ ]* [^ ]*" \
    setup HIDDEN="zstd.h|xxhash.h" build
holds "it was asked for the packages" \
    grep -qE '^apt-get install .* libzstd-dev libxxhash-dev$' "$folder/calls"
holds "its output is in the log" grep -q 'chatter of apt-get install' "$folder/build/setup.log"
holds "and only the last run's" \
    [ "$(grep -c 'chatter of apt-get install' "$folder/build/setup.log")" -eq 1 ]

# make_here VARIABLE=VALUE... GOAL: `make` with this compiler; it asks scripts/setup.
make_here() {
    env PATH="$folder/bin" "${@:1:$#-1}" make CC="$folder/cc" BUILD="$folder/made" "${@: -1}"
}

expect "make, with a header missing" 2 ".*missing packages: libjansson-dev .*SETUP=no.*" \
    make_here SETUP=no HIDDEN=jansson.h all
expect "make test, with cmocka missing" 2 ".*missing packages: libcmocka-dev g\\+\\+ python3 .*SETUP=no.*" \
    make_here SETUP=no HIDDEN=cmocka.h test
holds "neither has compiled anything" [ -z "$(find "$folder/made" -name '*.o')" ]
expect "an object of the programs, with cmocka missing" 0 "  compile .*/text.o" \
    make_here SETUP=no HIDDEN=cmocka.h "$folder/made/src/base/text.o"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
