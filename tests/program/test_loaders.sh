#!/usr/bin/env bash
# host/package/opencl_loader.c forwards all OpenCL functions that the library calls, and without a loader there is no platform. The program does not
# load the libraries of windows; `scree view` without GLFW names the package and a command that draws pictures.
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
build=${SCREE_BUILD_DIR:-$PWD}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cc -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -O1 -fPIC -c "$root/host/package/opencl_loader.c" -o "$folder/loader.o"
nm "$folder/loader.o" | sed -n 's/.* T \(cl[A-Z]\w*\)$/\1/p' | sort >"$folder/forwarded"
nm -D --undefined-only "$build/libscree.so" | sed -n 's/.* U \(cl[A-Z]\w*\).*/\1/p' | sort >"$folder/called"
checked=0 failed=0
# report NAME STATUS: prints the result of a check
report() {
    checked=$((checked + 1))
    if [ "$2" -eq 0 ]; then
        echo "ok $checked - $1"
    else
        echo "not ok $checked - $1"
        failed=1
    fi
}

[ -s "$folder/called" ] && [ -z "$(comm -13 "$folder/forwarded" "$folder/called")" ] && status=0 || status=1
report "forwards what the library calls $(comm -13 "$folder/forwarded" "$folder/called" | xargs)" $status

cat >"$folder/platforms.c" <<'END'
#include <CL/cl.h>
#include <stdio.h>
int main(void)
{
    cl_uint count = 0;
    const cl_int code = clGetPlatformIDs(0, NULL, &count);
    return printf("%d %u\n", code, count) < 0;
}
END
cc -DCL_TARGET_OPENCL_VERSION=120 "$folder/platforms.c" "$folder/loader.o" -ldl -pthread -o "$folder/loading"
cc -DCL_TARGET_OPENCL_VERSION=120 "$folder/platforms.c" -lOpenCL -o "$folder/linked"
[ "$("$folder/loading")" = "$("$folder/linked")" ] && status=0 || status=1
report "has the platforms of the loader" $status

mkdir "$folder/none"
: >"$folder/none/libOpenCL.so.1" # no library: dlopen fails as on a machine without one
found=$(LD_LIBRARY_PATH=$folder/none "$folder/loading")
[ "$found" = "-1001 0" ] && status=0 || status=1
report "finds no platform without a loader" $status

ldd "$build/scree" >"$folder/loaded"
grep -q libpng "$folder/loaded" && ! grep -E 'libglfw|libX11|libGL\.' "$folder/loaded" && status=0 || status=1
report "the program loads no library of windows" $status
"$build/scree" view scene.json >"$folder/printed" 2>&1 || true
if ! grep -q "this build has no viewer" "$folder/printed"; then
    mkdir "$folder/windowless"
    : >"$folder/windowless/libglfw.so.3"
    LD_LIBRARY_PATH=$folder/windowless "$build/scree" view scene.json >"$folder/printed" 2>&1 && status=0 || status=$?
    [ $status -eq 2 ] && [ "$(wc -l <"$folder/printed")" -eq 1 ] && grep -q 'libglfw3.*`scree run scene.json --snapshot 100`' "$folder/printed" && status=0 || status=1
    report "the viewer names GLFW's package where there is none" $status
fi
echo "1..$checked"
exit $failed
