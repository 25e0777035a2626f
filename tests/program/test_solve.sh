#!/usr/bin/env bash
# `scree run --dump-problem` and `scree solve`: files, table, exit codes.
set -u
scree=$SCREE_BUILD_DIR/scree
[ -x "$scree" ] || { echo "not ok: there is no $scree"; exit 1; }
work=$(mktemp -d /tmp/scree-solve-XXXXXX)
trap 'rm -rf "$work"' EXIT
failed=0

# expect CODE WORDS COMMAND...: checks the exit code, and words in the output
expect() {
    local code=$1 words=$2 output got
    shift 2
    output=$("$@" 2>&1)
    got=$?
    if [ "$got" -ne "$code" ] || [[ $output != *"$words"* ]]; then
        echo "not ok: $* gave $got, expected $code with \"$words\":"
        echo "$output"
        failed=1
    fi
}

cat >"$work/scene.json" <<'EOF'
{
  "bodies": [
    {"type": "static", "shape": {"kind": "half-space"}},
    {"shape": {"kind": "box", "size": [0.2, 0.2, 0.2]}, "position": [0, 0, 0.1]},
    {"shape": {"kind": "box", "size": [0.2, 0.2, 0.2]}, "position": [0, 0, 0.3]}
  ],
  "run": {"steps": 4}
}
EOF
cat >"$work/hinged.json" <<'EOF'
{
  "bodies": [{"shape": {"kind": "box", "size": [0.2, 0.2, 0.2]}}],
  "joints": [{"kind": "hinge", "b": 0, "point": [0.2, 0, 0]}],
  "run": {"steps": 4}
}
EOF
run=("$scree" run "$work/scene.json" --backend native --every 0 --out "$work/out")
expect 0 "problem-000004.hdf5 (2 in total)" "${run[@]}" --dump-problem 2,4
expect 2 "--dump-problem" "${run[@]}" --dump-problem 2,
expect 2 "--dump-problem" "${run[@]}" --dump-problem 0
problem=$work/out/problem-000004.hdf5
expect 0 "tolerance met" "$scree" solve "$problem" --tolerance 1e-8 --out "$work/solved.hdf5"
expect 0 "contacts    8" "$scree" solve "$work/solved.hdf5" --measure siconos
expect 0 "(1 in total)" "$scree" run "$work/hinged.json" --backend native --every 0 --out "$work/hinged" --dump-problem 4
expect 0 "contacts    0
bilateral   5 rows
size        5 unknowns" "$scree" solve "$work/hinged/problem-000004.hdf5"
expect 1 "tolerance not met" "$scree" solve "$problem" --start zero --method pgs --tolerance 1e-12 --max-iterations 1
expect 0 "law         pyramid" "$scree" solve "$problem" --law pyramid --tolerance 1e-6
expect 2 "scene.json" "$scree" solve "$work/scene.json"
expect 2 "checkpoint.h5" "$scree" solve "$work/out/checkpoint.h5"
expect 2 "nothing.hdf5" "$scree" solve "$work/nothing.hdf5"
for method in pgs jacobi accelerated-jacobi accelerated-pgs; do
    for precision in float double; do
        expect 0 "native, 2 threads, $precision" "$scree" solve "$problem" --backend native --threads 2 --method $method \
            --precision $precision --start zero --tolerance 1e-5
    done
done
expect 0 "relaxation 1.3" "$scree" solve "$problem" --backend native --method pgs --relaxation 1.3 --start zero --tolerance 1e-5
expect 2 "relaxation" "$scree" solve "$problem" --backend native --method jacobi --relaxation 1.3
for backend in host reference; do
    expect 0 "$backend, 1 thread, double" "$scree" solve "$problem" --backend $backend --start zero --tolerance 1e-6
    expect 2 "$backend" "$scree" solve "$problem" --backend $backend --method jacobi
    expect 2 "$backend" "$scree" solve "$problem" --backend $backend --precision float
done
expect 2 "--backend" "$scree" run "$work/scene.json" --backend host --out "$work/host"
if "$scree" devices >/dev/null 2>&1; then
    for precision in float double; do
        expect 0 "opencl: " "$scree" solve "$problem" --backend opencl --precision $precision --start zero --tolerance 1e-5
    done
    expect 2 "no such device" "$scree" solve "$problem" --backend opencl --device "no such device"
fi
expect 2 "--tolerance" "$scree" solve "$problem" --tolerance minus
expect 1 "" "$scree" solve "$problem" --out "$work/no/such/folder.hdf5"
cat >"$work/crushed.json" <<'END'
{
  "bodies": [
    {"type": "static", "shape": {"kind": "half-space"}},
    {"shape": {"kind": "sphere", "radius": 0.1}, "position": [0, 0, 0.1]},
    {"type": "kinematic", "shape": {"kind": "box", "size": [1, 1, 0.2]}, "position": [0, 0, 0.32], "linear_velocity": [0, 0, -0.5]}
  ],
  "run": {"steps": 30}
}
END
expect 0 "step 30" "$scree" run "$work/crushed.json" --backend native --every 0 --out "$work/crushed" \
    --dump-problem 30
expect 1 "no solution" "$scree" solve "$work/crushed/problem-000030.hdf5"
exit $failed
