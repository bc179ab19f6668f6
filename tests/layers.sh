#!/bin/bash
# Includes only point down the layers, and scripts/check-layers notices those that do not.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
passed=0
failed=0

# expect NAME CODE WORDS: the check of $copy ends with this code and says these words.
expect() {
    local said code
    said=$("$root/scripts/check-layers" "$copy" 2>&1)
    code=$?
    if [ "$code" -eq "$2" ] && grep -qF "$3" <<<"$said"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAILED %s: exit code %s\n%s\n' "$1" "$code" "$said"
    fi
}

copy=$root
expect "the tree itself" 0 ": 0 includes point up or sideways"

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
mkdir -p "$copy/docs"
# shellcheck disable=SC2016 # the backquotes mark a block
printf '```layers\nsrc/base\nsrc/games/*\nsrc/values\n```\n' >"$copy/docs/architecture.md"
mkdir -p "$copy/src/base" "$copy/src/games/one" "$copy/src/games/two" "$copy/src/values" "$copy/src/new"
echo '#include "base/a.h"' >"$copy/src/games/one/a.c"
expect "an include that points down" 0 ": 0 includes"
echo '#include "values/b.h"' >"$copy/src/base/a.h"
expect "an include that points up" 1 "src/base/a.h:1: includes values/b.h, which is above its layer"
rm "$copy/src/base/a.h"
echo '#include "games/one/a.h"' >"$copy/src/games/two/a.c"
expect "an include that points sideways" 1 "src/games/two/a.c:1: includes games/one/a.h, which is beside its layer"
rm "$copy/src/games/two/a.c"
echo 'int x;' >"$copy/src/new/a.c"
expect "a file in no layer" 1 "src/new/a.c: in no layer"

echo "layers.sh: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
