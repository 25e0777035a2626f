#!/usr/bin/env bash
# The bash completion and the options of the man page are those that the program's own help lists.
set -u
scree=$SCREE_BUILD_DIR/scree
page=$SCREE_SOURCE_DIR/host/cli/scree.1
# shellcheck disable=SC1091
source "$SCREE_SOURCE_DIR/host/cli/scree.bash-completion"
number=0
failures=0

# offers word...: prints the completions of the last word
offers() {
    COMP_WORDS=("$scree" "$@")
    COMP_CWORD=$#
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
# options COMMAND: prints the options of the help with their values
options() { "$scree" "$1" --help | sed -nE 's/^  (--[a-z-]+)( [^ ]+)?.*/\1\2/p' | sort; }
# described COMMAND: prints those of the man page's section
described() {
    sed -n "/^\.SH OPTIONS OF ${1^^}\$/,/^\.SH/p" "$page" | awk 'above == ".TP"; { above = $0 }' |
        sed -E 's/\\-/-/g; s/^\.(BI|BR|B) //; s/", "/\n/g; s/"//g; s/  +/ /g; s/ +,/,/' | sed 's/^ *//; s/ *$//' | sort
}

commands=$("$scree" --help | sed -n 's/^  \([a-z]*\) .*/\1/p')
same "commands" "$(printf '%s\n' run devices render view grains presets schema bench solve | sort)" "$(echo "$commands" | sort)"
same "completion: commands" "$(printf '%s\n' $commands --help --version | sort)" "$(offers "")"
same "man page: commands" "$(echo "$commands" | sort)" \
    "$(sed -n '/^\.SH COMMANDS/,/^\.SH OPTIONS/s/^\.B \([a-z]*\)$/\1/p' "$page" | sort)"
for command in $commands; do
    same "completion: options of $command" "$(options "$command" | cut -d' ' -f1)" "$(offers "$command" --)"
    [ "$(options "$command")" != --help ] || continue
    if [ "$command" = bench ]; then # most of its options refer to those of run
        same "man page: options of bench" "$(options bench | cut -d' ' -f1 | grep -v -- --help)" "$(described bench | cut -d' ' -f1)"
    else
        same "man page: options of $command" "$(options "$command" | grep -v -- --help)" "$(described "$command")"
    fi
done
same "completion: words" "$(printf '%s\n' coulomb pyramid associated radial | sort)" "$(offers run --law "")"
same "completion: words of another command" "host" "$(offers solve --backend h)"
same "completion: run --ite" "--iterations" "$(offers run --ite)"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" && touch a.json b.txt c.h5 d.vtkhdf && mkdir e
same "completion: scene files" "$(printf 'a.json\ne')" "$(offers run "")"
same "completion: frame files" "$(printf 'c.h5\nd.vtkhdf\ne')" "$(offers render "" | uniq)"
same "completion: checkpoints" "$(printf 'c.h5\ne')" "$(offers run --resume "")"
same "completion: files of the viewer" "$(printf 'a.json\nc.h5\nd.vtkhdf\ne')" "$(offers view "" | uniq)"
rm c.h5
same "completion: frame files without checkpoints" "$(printf 'd.vtkhdf\ne')" "$(offers render "" | uniq)"
rm d.vtkhdf && touch c.h5
same "completion: checkpoints without frame files" "$(printf 'c.h5\ne')" "$(offers render "" | uniq)"
same "completion: scenes of bench" "$(printf 'A1000\nA27000\nA8000')" "$(offers bench A)"
same "completion: folders" "e" "$(offers run --out "")"
same "completion: options where there are no files" "--help" "$(offers devices "")"
echo "1..$number"
[ $failures -eq 0 ]
