#!/bin/bash
# What completion offers in bash, asked of the real function; and in zsh and fish, which need not be
# installed, that their scripts ask for the same.
#
#   tests/completion.sh FOLDER
set -u
folder=$(cd "$1" && pwd)

# shellcheck source=/dev/null
source <("$folder/malpan" complete --shell bash)

passed=0
failed=0

# same WHAT GOT EXPECTED
same() {
    if [ "$2" = "$3" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$1: offers '$2', expected '$3'"
    fi
}

# offers EXPECTED WORD...: completing the last word gives these, in any order.
offers() {
    local expected=$1 got
    shift
    COMP_WORDS=("$folder/malpan" "$@")
    COMP_CWORD=$#
    COMPREPLY=()
    _malpan
    got=$(printf '%s\n' "${COMPREPLY[@]}" | sort | tr '\n' ' ' | sed 's/ *$//')
    same "malpan $*" "$got" "$expected"
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
offers "--seat --seats --seed --server" play box --se
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
offers "always auto never" eval box --color = ""
offers "digits" eval box --aim = d
offers "bash fish zsh" complete --shell ""
offers "--plot --progress" review --p
offers "box dice race valley yut" engine ""

# Words are explained, in the language of the terminal; an option's value may follow a sign.
same "explained" "$("$folder/malpan" complete --lang en -- version)" "version	print the version"
same "in Korean" "$("$folder/malpan" complete --lang ko -- version)" "version	버전 출력"
same "a sign" "$("$folder/malpan" complete -- eval box --color=n)" "--color=never	"
same "files" "$("$folder/malpan" complete -- play box --file x)" ":files"
same "files of a verb" "$("$folder/malpan" complete -- review "")" ":files"

cd "$(mktemp -d)" && touch one-file || exit 1
offers "one-file" review one
offers "one-file" review game --plot o

if command -v zsh >/dev/null; then
    "$folder/malpan" complete --shell zsh >_malpan
    got=$(PATH=$folder:$PATH zsh -fc '
        compdef() { true }
        compadd() { print -l -- ${(P)@[-1]} }
        _files() { print files }
        source ./_malpan
        words=(malpan match box random p) CURRENT=5; _malpan
        words=(malpan eval box --color "") CURRENT=5; _malpan
        words=(malpan review "") CURRENT=3; _malpan' | tr '\n' ' ')
    same "zsh" "$got" "perfect always never auto files "
fi

if command -v fish >/dev/null; then
    "$folder/malpan" complete --shell fish >malpan.fish
    got=$(PATH=$folder:$PATH HOME=$PWD fish --no-config -c '
        source malpan.fish
        complete -C "malpan match box random p"
        complete -C "malpan eval box --color "
        complete -C "malpan review one"' | cut -f 1 | sort | tr '\n' ' ')
    same "fish" "$got" "always auto never one-file perfect "
fi
rm -r "$PWD"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
