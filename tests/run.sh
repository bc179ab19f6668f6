#!/bin/sh
# Runs tests against the programs in FOLDER and sums them up. There is one more at a time than there
# are processors, as many tests wait most of the time.
#
#   tests/run.sh FOLDER TEST...
#
# A test is a test program, or a script, which gets FOLDER. With QUICK set, as under the sanitizers,
# samples do where otherwise everything is tried.
set -u

# run_one FOLDER TEST LOG: what it prints goes to LOG, and at its end `passed failed seconds cpu`.
run_one() {
    start=$(date +%s)
    case $2 in
    *.py) python3 "$2" "$1" ;;
    *.sh) bash "$2" "$1" ;;
    *) "$2" ;;
    esac >"$3" 2>&1
    code=$?
    times >"$3.times" # not in a pipe: that would be the times of another shell
    cpu=$(awk 'NR == 2 { gsub(/[ms]/, " "); print int($1 * 60 + $2 + $3 * 60 + $4 + 0.5) }' "$3.times")
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
    echo "${good:-0} ${bad:-0} $(($(date +%s) - start)) ${cpu:-0}" >>"$3"
}

if [ "$1" = --one ]; then
    run_one "$2" "$4" "$3/$(basename "$4").log"
    exit 0
fi

folder=$1
shift
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
printf '%s\n' "$@" | xargs -P $(($(nproc) + 1)) -n 1 "$0" --one "$folder" "$logs"

passed=0
failed=0
for test in "$@"; do
    name=$(basename "$test")
    log=$logs/$name.log
    # shellcheck disable=SC2046 # four numbers
    set -- $(tail -n 1 "$log" 2>/dev/null || echo 0 1 0 0)
    [ "$2" -eq 0 ] || cat "$log"
    echo "$name: $1 passed, $2 failed ($3 s, $4 s of processor time)"
    passed=$((passed + $1))
    failed=$((failed + $2))
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
