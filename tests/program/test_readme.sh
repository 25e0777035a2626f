#!/usr/bin/env bash
# Claims of the documents: the README's example compiles without a warning, runs and is correct; options are documented, and named files
# exist. (test_schema.py checks the keys of scenes.)
set -u
readme=$SCREE_SOURCE_DIR/README.md
command_line=$SCREE_SOURCE_DIR/host/cli/README.md
scene_keys=$SCREE_SOURCE_DIR/host/scene/README.md
documents=("$readme" "$SCREE_SOURCE_DIR"/host/README.md "$SCREE_SOURCE_DIR"/host/*/README.md "$SCREE_SOURCE_DIR"/kernels/README.md
    "$SCREE_SOURCE_DIR"/bench/*.md "$SCREE_SOURCE_DIR"/bench/experiments/README.md)
# shellcheck disable=SC1091
source "$SCREE_SOURCE_DIR/tests/support/check.sh"

sed -n '/^```c$/,/^```$/p' "$readme" | sed '/^```/d' >"$folder/example.c"
compiles() {
    [ -s "$folder/example.c" ] &&
        gcc -std=c11 -Wall -Wextra -Werror -pedantic -I"$SCREE_SOURCE_DIR/include" "$folder/example.c" -o "$folder/example" \
            -L"$SCREE_BUILD_DIR" -lscree -Wl,-rpath,"$SCREE_BUILD_DIR"
}
# Five cubes of 0.2 m on the ground: the top one rests at 0.9 m.
is_right() {
    "$folder/example" >"$folder/printed" || return 1
    cat "$folder/printed"
    awk '{ exit !($4 > 0.891 && $4 < 0.9009) }' "$folder/printed"
}
names_all_options() {
    local command option status=0
    for command in run render solve bench; do
        for option in $("$SCREE_BUILD_DIR/scree" $command --help | grep -oE '^  --[a-z][a-z-]+' | tr -d ' ' | grep -v -- --help); do
            grep -q -- "$option\b" "$command_line" || { echo "$command $option is not described"; status=1; }
        done
    done
    return $status
}
files_exist() { # files of this repository named in backquotes or parentheses
    local file status=0
    for file in $(grep -oE '[`(](bench|tests|host|kernels|include)/[A-Za-z0-9_./-]*[`)]' "${documents[@]}" -h | tr -d '`()' | sort -u); do
        case $file in *NAME* | *SUBJECT*) continue ;; esac # names of future files
        [ -e "$SCREE_SOURCE_DIR/$file" ] || { echo "named but not there: $file"; status=1; }
    done
    return $status
}
# Every scene in the documents runs for a step.
scenes_run() {
    local number=0 scene
    (cd "$folder" && sed -n '/^```json$/,/^```$/p' "$readme" "$scene_keys" "$command_line" | awk '/^```json/ { name = "scene-" ++n ".json"; next } /^```/ { next } { print > name }')
    for scene in "$folder"/scene-*.json; do
        number=$((number + 1))
        "$SCREE_BUILD_DIR/scree" run "$scene" --backend native --steps 1 --quiet --out "$folder/out" || return 1
    done
    [ $number -ge 2 ]
}
check "the example compiles" compiles
check "the example runs and is right" is_right
check "the scenes run" scenes_run
check "every option is described" names_all_options
check "every file that is named exists" files_exist
echo "1..$number"
[ $failures -eq 0 ]
