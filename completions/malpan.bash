# Completion of malpan's command line for bash. Verbs, games and options come from the program itself.

_malpan() {
    local program=${COMP_WORDS[0]} current=${COMP_WORDS[COMP_CWORD]}
    local previous=${COMP_WORDS[COMP_CWORD - 1]}
    local overview verb='' game='' word before=''
    overview=$("$program" help 2>/dev/null)
    # The options that take a value: two words before the help text.
    local valued
    valued=$({
        echo "$overview"
        "$program" help play 2>/dev/null
        "$program" help stats 2>/dev/null
        "$program" help eval 2>/dev/null
        "$program" help match 2>/dev/null
        "$program" help perft 2>/dev/null
        "$program" help solve 2>/dev/null
        "$program" help verify 2>/dev/null
    } | sed -n 's/^  \(--[a-z0-9-]*\) [A-Z].*/\1/p')
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        if [[ $word != -* && $'\n'$valued$'\n' != *$'\n'$before$'\n'* ]]; then
            if [[ -z $verb ]]; then
                verb=$word
            elif [[ -z $game ]]; then
                game=$word
            fi
        fi
        before=$word
    done

    local words=''
    case $previous in
    --color) words='always never auto' ;;
    --lang) words='en ko' ;;
    --aim) words='shut score digits' ;;
    --one-die) words="never sum<=6 top<=6" ;;
    --preset) words='snu plain choice teams' ;;
    --file | --output | --plot | --table | --tables | -o)
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
        return
        ;;
    *)
        if [[ $current == -* ]]; then
            words=$("$program" ${verb:+"$verb"} ${game:+"$game"} --help 2>/dev/null |
                sed -n 's/^  \(--[a-z0-9-]*\).*/\1/p')
        elif [[ $'\n'$valued$'\n' == *$'\n'$previous$'\n'* ]]; then
            return
        elif [[ -z $verb || ($verb == help && -z $game) ]]; then
            words=$(sed -n '/^verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p' <<<"$overview")
        elif [[ -z $game && $verb != version && $verb != help ]]; then
            words=$(sed -n '/^games:/,/^$/s/^  \([a-z]*\) .*/\1/p' <<<"$overview")
        fi
        ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}

complete -F _malpan malpan
