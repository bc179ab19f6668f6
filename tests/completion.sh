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

offers "engine eval" e
offers "engine eval" --seed 3 e
offers "box" eval b
offers "box" eval --tiles 12 b
offers "" version ""
offers "" eval --seed ""
offers "serve solve stats" help s
offers "yut" help y
offers "" help eval ""
offers "always auto never" eval box --color ""
offers "--sides" eval box --si
offers "--seats --seed" play box --se
offers "--data" serve --d
offers "--value --version" match box --v
offers "--version" play box --v
offers "box dice race valley yut" play ""
offers "yut" y
offers "compare facts move table" yut ""
offers "table" yut t
offers "" yut table ""
offers "--color --cow" yut table --co
offers "" race ""
offers "" serve ""
offers "" serve --port 0 ""
offers "" games box ""
offers "best easy normal perfect random strong" match box ""
offers "perfect" match box random p
offers "" match box random perfect ""
offers "alphabeta" match valley a
offers "best easy normal perfect random strong" rate box ""
offers "" rate box random ""
offers "best easy normal perfect random strong you" play box --seats ""
offers "you,perfect" play box --seats you,p
offers "digits score shut" eval box --aim ""
offers "choice family korean plain snu teams" eval yut --preset ""
offers "never sum\\<=6 top\\<=6" eval box --one-die ""
offers "sum\\<=6" eval box --one-die s
offers "" eval box --tiles ""

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
