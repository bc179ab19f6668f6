#!/bin/sh
# Runs all tests against the programs in FOLDER and sums them up.
#
#   tests/run.sh FOLDER TEST-PROGRAM...
set -u

folder=$1
shift
here=$(dirname "$0")
passed=0
failed=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT

count() {
    passed=$((passed + ${1:-0}))
    failed=$((failed + ${2:-0}))
}

# cmocka's programs: their closing lines count the tests.
for program in "$@"; do
    CMOCKA_MESSAGE_OUTPUT=STDOUT "$program" >"$log" 2>&1
    code=$?
    good=$(sed -n 's/.*\[  PASSED  \] \([0-9]*\) test.*/\1/p' "$log" | tail -n 1)
    bad=$(sed -n 's/.*\[  FAILED  \] \([0-9]*\) test.*/\1/p' "$log" | tail -n 1)
    if [ "$code" -ne 0 ] && [ "${bad:-0}" -eq 0 ]; then
        bad=1 # it crashed
    fi
    [ "$code" -eq 0 ] || cat "$log"
    echo "$(basename "$program"): ${good:-0} passed, ${bad:-0} failed"
    count "$good" "$bad"
done

# The scripts close with `N passed, N failed`.
script() {
    if ! "$@" >"$log" 2>&1 && ! grep -q ' passed, [1-9][0-9]* failed' "$log"; then
        echo "0 passed, 1 failed" >>"$log"
    fi
    grep -q ' passed, 0 failed' "$log" || cat "$log"
    # shellcheck disable=SC2046 # two words
    count $(sed -n 's/^\(.*[^0-9]\)\{0,1\}\([0-9][0-9]*\) passed, \([0-9][0-9]*\) failed.*/\2 \3/p' \
        "$log" | tail -n 1)
    echo "$2: $(tail -n 1 "$log" | sed 's/.*: //')"
}
script python3 "$here/cli.py" "$folder"
script python3 "$here/classic.py" "$folder"
script bash "$here/completion.sh" "$folder"
# Under the sanitizers a sample will do: QUICK is set there.
script python3 "$here/box_reference.py" ${QUICK:+--quick} --program "$folder/malpan"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
