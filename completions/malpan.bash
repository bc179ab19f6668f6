# Completion of malpan's command line for bash. Verbs, games, options and their values come from the
# program itself, so this file never lags behind it.

_malpan() {
    local current=${COMP_WORDS[COMP_CWORD]}
    local previous=${COMP_WORDS[COMP_CWORD - 1]}
    local program=${COMP_WORDS[0]}
    local verb='' game='' word
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        [[ $word == -* ]] && continue
        if [[ -z $verb ]]; then
            verb=$word
        elif [[ -z $game ]]; then
            game=$word
        fi
    done

    local words=''
    case $previous in
    --color) words='always never auto' ;;
    --lang) words='en ko' ;;
    --file)
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
        return
        ;;
    *)
        if [[ $current == -* ]]; then
            words=$("$program" ${verb:+"$verb"} ${game:+"$game"} --help 2>/dev/null |
                sed -n 's/^  \(--[a-z-]*\).*/\1/p')
        elif [[ -z $verb || $verb == help ]]; then
            words=$("$program" help 2>/dev/null |
                sed -n '/^verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p')
        elif [[ -z $game ]]; then
            words=$("$program" help 2>/dev/null |
                sed -n '/^games:/,/^$/s/^  \([a-z]*\) .*/\1/p')
        fi
        ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}

complete -F _malpan malpan
