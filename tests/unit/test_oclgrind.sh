#!/usr/bin/env bash
# Runs the kernels in Oclgrind, an OpenCL simulator that finds data races, stray accesses and wrong API calls. Two altered copies
# of the kernels, one with a race and one without its bounds check, show that it would have found them.
set -u
build=${SCREE_BUILD_DIR:?} source=${SCREE_SOURCE_DIR:?}
command -v oclgrind >/dev/null || { echo "skipped: oclgrind is not installed"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# A binary from the cache would not know about the build options. Inlining brings an intrinsic that Oclgrind 21.10 does not know.
export SCREE_CACHE_DIR=
simulate() {
    oclgrind --build-options "-O0 -DSCREE_INLINE=" --data-races --check-api "$@" >"$folder/log" 2>&1
    status=$?
}
found() { grep -qE "data race|Invalid (read|write)|runtime error detected|FATAL|Oclgrind - |divergence" "$folder/log"; }

: >"$folder/all"
for program in test_opencl test_ball_sweep test_many_contacts test_matrix test_primitives test_device_pairs test_device_arrange \
    test_device_contacts test_device_rows test_device_detect test_device_excess test_device_links test_device_commit test_device_shapes \
    test_device_children test_device_cohesion test_contact_mirror test_world_group; do
    # Oclgrind 21.10 crashes when it counts the instructions of some convex shapes; test_device_contacts runs their kernels as well.
    counts=--inst-counts
    [ $program = test_device_shapes ] && counts=
    # shellcheck disable=SC2086
    simulate $counts "$build/$program" --small
    if [ $status -ne 0 ] || found; then
        cat "$folder/log"
        echo "the kernels of $program are not clean, or differ from native (exit status $status)"
        exit 1
    fi
    cat "$folder/log" >>"$folder/all"
done

# test_snapshot runs the one of render.cl, test_pipeline_stay detect_child_*, test_device_children children_skims with meshes, whose
# instructions Oclgrind 21.10 cannot count, and probe_nothing does nothing.
for kernel in $(cat "$source"/kernels/[!r]*.cl "$source"/kernels/res*.cl "$source"/kernels/row*.cl | sed -nE 's/^(__kernel|kernel) void ([a-z_]+)\(.*/\2/p'); do
    [[ $kernel == probe_nothing || $kernel == detect_child_* || $kernel == children_skims ]] || grep -q "executed for kernel '$kernel'" "$folder/all" || { echo "the kernel $kernel was not run"; exit 1; }
done

altered() { # name, program with arguments, file, sed script, what must be found
    local program=$2
    set -- "$1" "${@:3}"
    cp "$source"/kernels/* "$folder/"
    sed -i "$3" "$folder/$2"
    cmp -s "$source/kernels/$2" "$folder/$2" && { echo "$1: the alteration no longer applies"; exit 1; }
    # shellcheck disable=SC2086
    SCREE_KERNEL_DIR=$folder simulate $program
    grep -qE "$4" "$folder/log" || { cat "$folder/log"; echo "$1: not found"; exit 1; }
}
altered "a race" "$build/test_opencl --once" sweep.cl 's|groups\[first + g\]|groups[first + g / 2]|' "data race"
altered "a stray access" "$build/test_opencl --once" motion.cl 's|if (i >= count) return;||' "Invalid (read|write)"
altered "a barrier that is missing" "$build/test_matrix --small" matrix.cl \
    '/sweep_row(rows, entries, columns, impulses, parameters, i);/{n;s|barrier(CLK_GLOBAL_MEM_FENCE);||}' "data race"
echo "no race, no stray access; both were found where they were put"
