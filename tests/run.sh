#!/bin/sh
# Runs all tests against the programs in FOLDER and sums them up.
#
#   tests/run.sh FOLDER TEST-PROGRAM...
#
# The programs run beside the scripts, on two cores. With QUICK set, as under the sanitizers, samples do
# where otherwise everything is tried; with ONLY=programs, the scripts are left out.
set -u

folder=$1
shift
here=$(dirname "$0")
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
# Threads that wait leave the cores to the tests beside them.
export OMP_WAIT_POLICY="${OMP_WAIT_POLICY:-passive}"

# run_script COMMAND...: a script closes with `N passed, N failed`.
run_script() {
    name=$(basename "$2")
    log=$logs/$name
    if ! "$@" >"$log" 2>&1 && ! grep -q ' passed, [1-9][0-9]* failed' "$log"; then
        echo "0 passed, 1 failed" >>"$log" # it crashed
    fi
    grep -q ' passed, 0 failed' "$log" || cat "$log"
    echo "$name: $(sed -n 's/^\(.*[^0-9]\)\{0,1\}\([0-9][0-9]* passed, [0-9][0-9]* failed\).*/\2/p' \
        "$log" | tail -n 1)"
}

run_scripts() {
    run_script python3 "$here/cli.py" "$folder"
    run_script python3 "$here/classic.py" "$folder"
    run_script python3 "$here/solve.py" "$folder"
    run_script python3 "$here/facts.py" "$folder"
    run_script python3 "$here/valley.py" "$folder"
    run_script bash "$here/completion.sh" "$folder"
    run_script python3 "$here/box_reference.py" ${QUICK:+--quick} --program "$folder/malpan"
}

# Those that come after the programs, so that both cores have as much to do.
run_later_scripts() {
    run_script python3 "$here/web.py" "$folder"
    run_script python3 "$here/dice.py" "$folder"
}

# run_program PROGRAM: cmocka's closing lines count the tests.
run_program() {
    name=$(basename "$1")
    log=$logs/$name
    "$1" >"$log" 2>&1
    code=$?
    good=$(sed -n 's/.*\[  PASSED  \] \([0-9]*\) test.*/\1/p' "$log" | tail -n 1)
    bad=$(sed -n 's/.*\[  FAILED  \] \([0-9]*\) test.*/\1/p' "$log" | tail -n 1)
    if [ "$code" -ne 0 ]; then
        [ "${bad:-0}" -gt 0 ] || bad=1 # it crashed
        cat "$log"
    fi
    echo "$name: ${good:-0} passed, ${bad:-0} failed"
}

scripts=$logs/scripts.all
programs=$logs/programs.all
: >"$scripts"
if [ "${ONLY:-}" != programs ]; then
    run_scripts >"$scripts" 2>&1 &
fi
{
    for program in "$@"; do
        run_program "$program"
    done
    [ "${ONLY:-}" = programs ] || run_later_scripts
} >"$programs" 2>&1
wait
cat "$programs" "$scripts"

# The last line of each, added up.
sum=$(sed -n 's/^[a-z_.]*: \([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$programs" "$scripts" |
    awk '{ passed += $1; failed += $2 } END { print passed + 0, failed + 0 }')
echo "${sum% *} passed, ${sum#* } failed"
[ "${sum#* }" -eq 0 ] && [ "${sum% *}" -gt 0 ]
