# Completion of malpan's command line for bash. Verbs, games, options, players and almost all values of
# rule options come from the program itself: from its help, and from `games --json`.

# The names in a section of help, which begins with a heading such as `verbs:`.
_malpan_section() {
    sed -n "/^$1:\$/,/^\$/s/^  \([a-z][a-z0-9-]*\).*/\1/p"
}

# All values of an option of the rules, where there are few: nothing otherwise.
_malpan_choices() {
    local program=$1 game=$2 option=$3
    "$program" games ${game:+"$game"} --json 2>/dev/null |
        grep -o "{\"name\":\"$option\"[^}]*\"choices\":\[[^]]*\]" | head -n 1 |
        sed 's/.*\[\(.*\)\]/\1/' | tr -d '"' | tr ',' ' '
}

_malpan() {
    local program=${COMP_WORDS[0]} current=${COMP_WORDS[COMP_CWORD]}
    local previous=${COMP_WORDS[COMP_CWORD - 1]}
    local overview verbs games valued word before='' words=''
    local -a typed=()
    overview=$("$program" help --lang en 2>/dev/null)
    verbs=$(_malpan_section verbs <<<"$overview")
    games=$(_malpan_section games <<<"$overview")

    # What was typed so far, without options and their values. Whether an option takes a value shows
    # in the help: a word in capitals follows its name.
    valued=$({
        echo "$overview"
        for word in $verbs; do "$program" "$word" --help --lang en 2>/dev/null; done
    } | sed -n 's/^  \(--[a-z0-9-]*\) [A-Z].*/\1/p')
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        [[ $word != -* && $'\n'$valued$'\n' != *$'\n'$before$'\n'* ]] && typed+=("$word")
        before=$word
    done
    local verb=${typed[0]-} game=${typed[1]-}
    # What the verb takes, as in `match GAME A B`.
    local arguments
    arguments=$(sed -n "/^verbs:\$/,/^\$/s/^  $verb \(.*\)/\1/p" <<<"$overview")

    if [[ $current == -* ]]; then
        words=$("$program" "${typed[@]:0:2}" --help --lang en 2>/dev/null |
            sed -n 's/^  \(--[a-z0-9-]*\).*/\1/p')
    elif [[ $'\n'$valued$'\n' == *$'\n'$previous$'\n'* ]]; then
        case $previous in
        --color) words='always never auto' ;;
        --lang) words='en ko' ;;
        --numbers) words='on off' ;;
        --one-die) words='never sum<=6 top<=6' ;; # the limit may be another one
        --seats)
            # The last of a list separated by commas.
            words=$("$program" play ${game:+"$game"} --help --lang en 2>/dev/null | _malpan_section players)
            if [[ $current == *,* ]]; then
                words=${current%,*},${words//$'\n'/ ${current%,*},}
            fi
            ;;
        --file | --measure | --output | --plot | --table | --tables | --data | --log | -o)
            mapfile -t COMPREPLY < <(compgen -f -- "$current")
            return
            ;;
        *) words=$(_malpan_choices "$program" "$game" "${previous#--}") ;;
        esac
    elif [[ ${#typed[@]} -eq 0 ]]; then
        words="$verbs $games"
    elif [[ $'\n'$games$'\n' == *$'\n'$verb$'\n'* ]]; then
        # A game's own commands: `yut move`.
        [[ ${#typed[@]} -eq 1 ]] && words=$("$program" help "$verb" --lang en 2>/dev/null |
            sed -n "s/^  $verb \([a-z]*\).*/\1/p")
    elif [[ ${#typed[@]} -eq 1 ]]; then
        [[ $arguments == *VERB* ]] && words=$verbs
        [[ $arguments == *GAME* ]] && words+=" $games"
    elif [[ $arguments == 'GAME A B'* && ${#typed[@]} -le 3 ||
        $arguments == 'GAME PLAYER'* && ${#typed[@]} -eq 2 ]]; then
        words=$("$program" "$verb" "$game" --help --lang en 2>/dev/null | _malpan_section players)
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    # A value such as sum<=6 must not become a redirection.
    local i
    for i in "${!COMPREPLY[@]}"; do
        [[ ${COMPREPLY[i]} == *[\<\>\&\;\|\(\)\$]* ]] && printf -v "COMPREPLY[i]" %q "${COMPREPLY[i]}"
    done
}

complete -F _malpan malpan
