#!/usr/bin/env bash
# Claims of the documents: the README is short; examples in C compile without a warning, run and are correct; scenes run; options are documented, and
# named files exist. (test_schema.py checks the keys of scenes, test_pages.py the examples in Python.)
set -u
readme=$SCREE_SOURCE_DIR/README.md
command_line=$SCREE_SOURCE_DIR/host/cli/README.md
scene_keys=$SCREE_SOURCE_DIR/host/scene/README.md
pages=("$SCREE_SOURCE_DIR"/host/docs/*.md "$SCREE_SOURCE_DIR"/host/docs/howto/*.md)
documents=("$readme" "${pages[@]}" "$SCREE_SOURCE_DIR"/host/README.md "$SCREE_SOURCE_DIR"/host/*/README.md "$SCREE_SOURCE_DIR"/kernels/README.md
    "$SCREE_SOURCE_DIR"/bench/*.md "$SCREE_SOURCE_DIR"/bench/experiments/README.md)
# shellcheck disable=SC1091
source "$SCREE_SOURCE_DIR/tests/support/check.sh"

is_short() { [ "$(wc -c <"$readme")" -le 5000 ]; }
compiles() { # page
    sed -n '/^```c$/,/^```$/p' "$1" | sed '/^```/d' >"$folder/example.c"
    [ -s "$folder/example.c" ] &&
        gcc -std=c11 -Wall -Wextra -Werror -pedantic -I"$SCREE_SOURCE_DIR/include" "$folder/example.c" -o "$folder/example" \
            -L"$SCREE_BUILD_DIR" -lscree -Wl,-rpath,"$SCREE_BUILD_DIR"
}
prints() { # field least most: the field of what the example prints is a number between them
    "$folder/example" >"$folder/printed" || return 1
    cat "$folder/printed"
    awk -v field="$1" -v least="$2" -v most="$3" '{ exit !($field + 0 > least && $field + 0 < most) }' "$folder/printed"
}
names_all_options() {
    local command option status=0
    for command in run render view solve bench; do
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
    cp "$SCREE_SOURCE_DIR"/host/docs/scenes/* "$folder"
    (cd "$folder" && sed -n '/^```json$/,/^```$/p' "$readme" "$scene_keys" "$command_line" "${pages[@]}" | awk '/^```json/ { name = "scene-" ++n ".json"; next } /^```/ { next } { print > name }')
    for scene in "$folder"/*.json; do
        number=$((number + 1))
        "$SCREE_BUILD_DIR/scree" run "$scene" --backend native --steps 1 --no-pictures --quiet --out "$folder/out" || return 1
    done
    [ $number -ge 2 ]
}
check "the README has at most 5 kB" is_short
check "the README's example in C compiles" compiles "$readme"
check "its ball of 0.1 m rests on the ground" prints 3 0.0999 0.1001
check "the example of the C library compiles" compiles "$SCREE_SOURCE_DIR/host/docs/c.md"
check "the top one of its five cubes of 0.2 m rests at 0.9 m" prints 4 0.891 0.9009
check "the example of the first pile compiles" compiles "$SCREE_SOURCE_DIR/host/docs/start.md"
check "its pile has a small residual" prints 2 0 0.01
check "the example for users of Chrono compiles" compiles "$SCREE_SOURCE_DIR/host/docs/coming_from.md"
check "its box with 2 m/s and friction 0.4 slides as far as Coulomb's law lets it" prints 4 0.505 0.515
check "the scenes run" scenes_run
check "every object of a scene has a page with an example of each kind" /usr/bin/python3 "$SCREE_SOURCE_DIR/host/docs/scene_pages.py" "$SCREE_BUILD_DIR/scree" "$folder/keys"
check "every option is described" names_all_options
check "every file that is named exists" files_exist
echo "1..$number"
[ $failures -eq 0 ]
