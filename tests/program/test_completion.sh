#!/usr/bin/env bash
# The bash completion offers exactly the commands, options and words that the program's own help lists.
set -u
scree=$SCREE_BUILD_DIR/scree
# shellcheck disable=SC1091
source "$SCREE_SOURCE_DIR/host/cli/scree.bash-completion"
number=0
failures=0

# offers word...: prints the completions of the last word
offers() {
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    COMPREPLY=()
    _scree
    printf '%s\n' "${COMPREPLY[@]}" | sort
}
# same "name" expected actual: prints one line of TAP
same() {
    number=$((number + 1))
    if [ -n "$2" ] && [ "$2" = "$3" ]; then
        echo "ok $number - $1"
    else
        echo "not ok $number - $1"
        diff <(echo "$2") <(echo "$3") | sed 's/^/# /'
        failures=$((failures + 1))
    fi
}

commands=$("$scree" --help | sed -n 's/^  \([a-z]*\) .*/\1/p')
same "commands" "$(printf '%s\n' $commands --help --version | sort)" "$(offers scree "")"
for command in $commands; do
    options=$("$scree" "$command" --help | grep -oE '^  --[a-z][a-z-]+' | tr -d ' ' | sort)
    same "$command: options" "$options" "$(offers scree "$command" --)"
done
for command in $commands; do
    while read -r option words; do
        same "$command $option: words" "$(tr '|' '\n' <<<"$words" | sort)" "$(offers scree "$command" "$option" "")"
    done < <("$scree" "$command" --help | sed -nE 's/^  (--[a-z-]+) ([a-z-]+(\|[a-z-]+)+).*/\1 \2/p')
done
same "run --ite" "--iterations" "$(offers scree run --ite)"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" && touch a.json b.txt c.h5 d.vtkhdf
same "scene files" "a.json" "$(offers scree run "")"
same "frame files" "$(printf 'c.h5\nd.vtkhdf')" "$(offers scree render "")"
same "checkpoints" "c.h5" "$(offers scree run --resume "")"
echo "1..$number"
[ $failures -eq 0 ]
