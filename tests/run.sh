#!/bin/sh
# Runs tests against the programs in FOLDER, two at a time, and sums them up.
#
#   tests/run.sh FOLDER TEST...
#
# A test is a test program, or a script, which gets FOLDER. With QUICK set, as under the sanitizers,
# samples do where otherwise everything is tried.
set -u

# run_one FOLDER TEST LOG: what it prints goes to LOG, and at its end `passed failed seconds`.
run_one() {
    start=$(date +%s)
    case $2 in
    *.py) python3 "$2" "$1" ;;
    *.sh) bash "$2" "$1" ;;
    *) "$2" ;;
    esac >"$3" 2>&1
    code=$?
    # Scripts close with `N passed, N failed`; cmocka counts in lines of their own.
    counts=$(sed -n 's/^\(.*[^0-9]\)\{0,1\}\([0-9][0-9]*\) passed, \([0-9][0-9]*\) failed.*/\2 \3/p' "$3" | tail -n 1)
    good=${counts% *}
    bad=${counts#* }
    if [ -z "$counts" ]; then
        good=$(sed -n 's/.*\[  PASSED  \] \([0-9]*\) test.*/\1/p' "$3" | tail -n 1)
        bad=$(sed -n 's/.*\[  FAILED  \] \([0-9]*\) test.*/\1/p' "$3" | tail -n 1)
    fi
    if [ "$code" -ne 0 ] && [ "${bad:-0}" -eq 0 ]; then
        bad=1 # it crashed
    fi
    echo "${good:-0} ${bad:-0} $(($(date +%s) - start))" >>"$3"
}

if [ "$1" = --one ]; then
    run_one "$2" "$4" "$3/$(basename "$4").log"
    exit 0
fi

folder=$1
shift
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
printf '%s\n' "$@" | xargs -P 2 -n 1 "$0" --one "$folder" "$logs"

passed=0
failed=0
for test in "$@"; do
    name=$(basename "$test")
    log=$logs/$name.log
    counts=$(tail -n 1 "$log" 2>/dev/null || echo 0 1 0)
    good=${counts%% *}
    seconds=${counts##* }
    bad=${counts#* }
    bad=${bad% *}
    [ "$bad" -eq 0 ] || cat "$log"
    echo "$name: $good passed, $bad failed ($seconds s)"
    passed=$((passed + good))
    failed=$((failed + bad))
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
