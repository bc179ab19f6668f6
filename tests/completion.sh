#!/bin/bash
# What bash completion offers, asked of the real function.
#
#   tests/completion.sh FOLDER
set -u
folder=$(cd "$1" && pwd)
# shellcheck source=completions/malpan.bash
source "$(dirname "$0")/../completions/malpan.bash"

passed=0
failed=0

# offers EXPECTED WORD...: completing the last word gives these, in any order.
offers() {
    local expected=$1 got
    shift
    COMP_WORDS=("$folder/malpan" "$@")
    COMP_CWORD=$#
    COMPREPLY=()
    _malpan
    got=$(printf '%s\n' "${COMPREPLY[@]}" | sort | tr '\n' ' ' | sed 's/ *$//')
    if [ "$got" = "$expected" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "malpan $*: offers '$got', expected '$expected'"
    fi
}

offers "eval" e
offers "eval" --seed 3 e
offers "box" eval b
offers "box" eval --tiles 12 b
offers "" version ""
offers "" eval --seed ""
offers "serve solve stats" help s
offers "always auto never" eval box --color ""
offers "--sides" eval box --si
offers "--seats --seed" play box --se
offers "box dice race valley yut" play ""

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
