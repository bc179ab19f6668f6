#!/bin/bash
# The results of `malpan bench --signature` are those in tests/data/signature.txt.
#
#   tests/signature.sh FOLDER            compares
#   tests/signature.sh FOLDER --update   writes the file, after a change of results that is meant
#
# With QUICK set, as under the sanitizers, only the lines of the games that take no time.
set -u

folder=$1
expected=$(dirname "$0")/data/signature.txt
found=$(mktemp)
trap 'rm -f "$found"' EXIT

# compare WHAT EXPECTED FOUND: one test.
passed=0
failed=0
compare() {
    if diff "$2" "$3"; then
        passed=$((passed + 1))
    else
        echo "the signature of $1 has changed: < as written down, > as computed now"
        failed=$((failed + 1))
    fi
}

if [ "${2-}" = --update ]; then
    exec "$folder/malpan" bench --signature >"$expected"
fi
if [ -n "${QUICK-}" ]; then
    for game in race dice; do
        "$folder/malpan" bench $game --signature | grep -v '^signature' >"$found"
        compare $game <(grep -E "^[a-z]+ ${game}[ :]" "$expected") "$found"
    done
else
    "$folder/malpan" bench --signature --threads 3 >"$found"
    compare "all games" "$expected" "$found"
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
