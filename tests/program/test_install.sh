#!/usr/bin/env bash
# Installs into a temporary folder, builds and runs the examples of bench/examples, a ten-line program against the engine, and one
# against the engine and the tools: with CMake and with pkg-config, shared and static, as C and as C++. Checks that each library exports its public interface
# only, that a client of the engine does not load the tools' dependencies, and that the man page is well-formed.
set -u
# shellcheck disable=SC1091
source "$SCREE_SOURCE_DIR/tests/support/check.sh"
prefix=$folder/prefix

cat >"$folder/ten.c" <<'END'
#include <scree/scree.h>
#include <stdio.h>
int main(void)
{
    scree_world *world;
    scree_world_def def = scree_default_world_def();
    scree_body_def ball = scree_default_body_def();
    scree_body_id id;
    def.backend = SCREE_BACKEND_NATIVE;
    if (scree_world_create(&def, &world) || scree_body_create(world, &ball, &id) || scree_world_step(world, NULL)) return 1;
    printf("%s: %g s\n", scree_version_name(), scree_world_get_time(world));
    scree_world_destroy(world);
    return 0;
}
END
cp "$folder/ten.c" "$folder/ten.cpp"
cat >"$folder/tools.c" <<'END'
#include <scree/scree.h>
#include <scree/tools/tools.h>
#include <stdio.h>
int main(void)
{
    scree_scene *scene;
    if (scree_scene_load("scene.json", &scene) == SCREE_OK) return 1;
    puts(scree_error_get_message());
    return 0;
}
END
cp "$folder/tools.c" "$folder/tools.cpp"
# One project a language; each program and kind of library is a folder of its own, with its own find_package.
cat >"$folder/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(clients LANGUAGES ${LANGUAGE})
foreach(program ten tools)
  foreach(library shared static)
    add_subdirectory(client ${program}-${library})
  endforeach()
endforeach()
END
mkdir "$folder/client" "$folder/unknown"
cat >"$folder/client/CMakeLists.txt" <<'END'
set(components)
set(suffix)
set(target scree)
if(program STREQUAL tools)
  list(APPEND components tools)
  set(target tools)
endif()
if(library STREQUAL static)
  list(APPEND components static)
  set(suffix _static)
endif()
if(components)
  find_package(scree 0.2 REQUIRED COMPONENTS ${components})
else()
  find_package(scree 0.2 REQUIRED)
endif()
add_executable(${program}-${library} ../${program}.${SUFFIX})
target_link_libraries(${program}-${library} PRIVATE scree::${target}${suffix})
END
cat >"$folder/unknown/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(unknown LANGUAGES C)
find_package(scree 0.2 REQUIRED COMPONENTS tool)
END

install_there() { cmake --install "$SCREE_BUILD_DIR" --prefix "$prefix"; }
# Runs the install script for a build that lacks a library: nothing is installed.
refuses_an_incomplete_build() {
    local script=$folder/incomplete.cmake
    sed -E 's/libscree\.so/libmissing.so/g' "$SCREE_BUILD_DIR/cmake_install.cmake" >"$script"
    ! cmake -DCMAKE_INSTALL_PREFIX="$folder/incomplete" -P "$script" >"$folder/refusal" 2>&1 && [ ! -e "$folder/incomplete" ] &&
        grep -q 'not built' "$folder/refusal" && grep -q -- '--target scree_installed' "$folder/refusal"
}
files_are_there() {
    local file status=0
    for file in bin/scree include/scree/scree.h lib*/libscree.so lib*/libscree.a lib*/libscree-tools.so lib*/libscree-tools.a lib*/cmake/scree/scree-config.cmake \
        lib*/pkgconfig/scree.pc lib*/pkgconfig/scree-tools.pc share/man/man1/scree.1 share/bash-completion/completions/scree share/scree/scenes/beads.json share/doc/scree/LICENSE; do
        # shellcheck disable=SC2086
        [ -e "$(echo $prefix/$file)" ] || { echo "missing: $file"; status=1; }
    done
    return $status
}
# Below 1.0.0 a program that was linked with another minor version does not load this library.
names_its_interface() {
    local library major minor patch
    IFS=. read -r major minor patch <<<"$(sed -n 's/^project(scree VERSION \([0-9.]*\).*/\1/p' "$SCREE_SOURCE_DIR/CMakeLists.txt")"
    [ -n "$patch" ] || return 1
    [ "$major" -gt 0 ] || major=0.$minor
    for library in scree scree-tools; do
        readelf -d "$library_dir/lib$library.so" | grep -F "SONAME" | grep -F "[lib$library.so.$major]" || return 1
    done
}
configures() { # C or CXX
    local suffix=c
    [ "$1" = C ] || suffix=cpp
    cmake -S "$folder" -B "$folder/cmake-$1" -DCMAKE_PREFIX_PATH="$prefix" -DLANGUAGE="$1" -DSUFFIX=$suffix
}
with_cmake() { # program, shared or static, C or CXX
    local build=$folder/cmake-$3 program=$1-$2
    cmake --build "$build" --target "$program" && "$build/$program/$program" &&
        if [ "$2" = static ]; then ! ldd "$build/$program/$program" | grep libscree; else ldd "$build/$program/$program" | grep "$prefix.*libscree"; fi
}
unknown_component_is_named() {
    cmake -S "$folder/unknown" -B "$folder/cmake-unknown" -DCMAKE_PREFIX_PATH="$prefix" 2>&1 |
        tr -s ' \n' ' ' | grep 'unknown component "tool"; must be tools or static'
}
with_pkg_config() { # compiler source package shared|static
    local libraries program=$folder/pkg-$1-$3-$4
    if [ "$4" = static ]; then
        libraries=$(pkg-config --static --libs "$3" | sed -E 's/-l(scree(-tools)?)( |$)/-l:lib\1.a /g') || return 1
    else
        libraries=$(pkg-config --libs "$3") || return 1
    fi
    # shellcheck disable=SC2046,SC2086
    "$1" -Wall -Wextra -Werror -pedantic $(pkg-config --cflags "$3") "$folder/$2" -o "$program" $libraries &&
        LD_LIBRARY_PATH=$library_dir "$program"
}
with_the_build_folder() {
    local library_dir=$SCREE_BUILD_DIR
    PKG_CONFIG_PATH=$SCREE_BUILD_DIR with_pkg_config gcc tools.c scree-tools shared
}
loads_no_file_libraries() { # of the four clients of the engine alone
    local program
    for program in cmake-C/ten-shared/ten-shared cmake-C/ten-static/ten-static pkg-gcc-scree-shared pkg-gcc-scree-static; do
        LD_LIBRARY_PATH=$library_dir ldd "$folder/$program" >"$folder/loaded" || return 1
        grep -q libOpenCL "$folder/loaded" || return 1
        ! grep -E 'hdf5|jansson|png|scree-tools' "$folder/loaded" || return 1
    done
}
exports_public_names_only() { # nm's output of defined symbols, headers
    local name status=0 names=$1
    shift
    for name in $(awk '$2 ~ /^[A-Z]$/ && $2 != "U" { print $3 }' "$names"); do
        grep -qw "$name" "$@" || { echo "exported but not in a public header: $name"; status=1; }
    done
    for name in $(grep -hoE '\bscree_[a-z0-9_]+\(' "$@" | tr -d '(' | sort -u); do
        grep -qw "$name" "$names" || { echo "declared but not exported: $name"; status=1; }
    done
    return $status
}
shared_names() { # library, headers
    local library=$1
    shift
    nm -D --defined-only --without-symbol-versions "$library_dir/lib$library.so" | grep -v ' A ' >"$folder/names" &&
        exports_public_names_only "$folder/names" "$@"
}
has_versions() { # library: every exported symbol is scree_* of the interface's version
    local version
    version=SCREE_$(readelf -d "$library_dir/lib$1.so" | sed -nE 's/.*SONAME.*\.so\.([0-9.]+)\]/\1/p')
    nm -D --defined-only --with-symbol-versions "$library_dir/lib$1.so" | grep -v ' A ' >"$folder/names" && [ -s "$folder/names" ] &&
        ! grep -vE " scree_[a-z0-9_]+@@$version\$" "$folder/names"
}
static_names() {
    local library=$1
    shift
    nm --extern-only --defined-only "$library_dir/lib$library.a" | grep ' ' >"$folder/names" && exports_public_names_only "$folder/names" "$@"
}
headers_alone() { # each header compiles by itself, as C11 and as C++11
    local header
    for header in "$prefix"/include/scree/{,tools/}*.h; do
        gcc -std=c11 -Wall -Wextra -Werror -pedantic -I"$prefix/include" -fsyntax-only -x c "$header" || return 1
        g++ -std=c++11 -Wall -Wextra -Werror -pedantic -I"$prefix/include" -fsyntax-only -x c++ "$header" || return 1
    done
}
# Builds the examples against the installed library and runs them. Each prints one line for each result.
examples() {
    local build=$folder/examples example
    cmake -S "$SCREE_SOURCE_DIR/bench/examples" -B "$build" -DCMAKE_PREFIX_PATH="$prefix" && cmake --build "$build" || return 1
    for example in game_loop vehicle gripper problem; do
        "$build/$example" | tee "$folder/$example.txt" || return 1
    done
    grep -q 'replay equal' "$folder/game_loop.txt" || return 1
    grep -qE 'speed (6\.9|7\.0)[0-9]* m/s' "$folder/vehicle.txt" || return 1
    grep -qE 'carried by 9\.8[0-9]* N .* slip -?[0-9.]+e-0[5-9] m' "$folder/gripper.txt" || return 1
    [ "$(grep -cE 'speed ([0-9.]+) m/s \(exact: \1\)' "$folder/problem.txt")" = 2 ]
}
man_page() { [ -z "$(MANROFFSEQ='' MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z "$prefix/share/man/man1/scree.1" 2>&1 >/dev/null | tee /dev/stderr)" ]; }
man_names_all_options() {
    local command option status=0
    for command in run render solve; do
        for option in $("$prefix/bin/scree" $command --help | grep -oE '^  --[a-z-]+' | tr -d ' ' | grep -v -- --help); do
            sed 's/\\-/-/g' "$prefix/share/man/man1/scree.1" | grep -q -- "$option\b" || { echo "$command $option is not in the man page"; status=1; }
        done
    done
    return $status
}

check "cmake --install" install_there
check "everything is installed" files_are_there
check "nothing of an incomplete build is installed" refuses_an_incomplete_build
library_dir=$(dirname "$(ls "$prefix"/lib*/libscree.so "$prefix"/lib/*/libscree.so 2>/dev/null | head -n 1)")
export PKG_CONFIG_PATH=$library_dir/pkgconfig:${PKG_CONFIG_PATH:-}
for language in C CXX; do
    check "clients configure, $language" configures $language
    for program in ten tools; do
        check "find_package, shared library, $language: $program" with_cmake $program shared $language
        check "find_package, static library, $language: $program" with_cmake $program static $language
    done
done
check "the libraries are named by major.minor" names_its_interface
check "the examples build and give their results" examples
check "find_package, unknown component" unknown_component_is_named
check "pkg-config, shared library" with_pkg_config gcc ten.c scree shared
check "pkg-config, static library" with_pkg_config gcc ten.c scree static
check "pkg-config, shared tools" with_pkg_config gcc tools.c scree-tools shared
check "pkg-config, static tools" with_pkg_config gcc tools.c scree-tools static
check "pkg-config, C++" with_pkg_config g++ ten.cpp scree shared
check "pkg-config, build folder" with_the_build_folder
check "a client of the engine does not load HDF5, Jansson and libpng" loads_no_file_libraries
check "every header stands alone, in C and C++" headers_alone
for library in scree scree-tools; do
    headers=("$SCREE_SOURCE_DIR"/include/scree/*.h)
    [ $library = scree ] || headers=("$SCREE_SOURCE_DIR"/include/scree/tools/*.h)
    check "the shared library $library exports its public interface only" shared_names $library "${headers[@]}"
    check "the symbols of $library have its version" has_versions $library
    check "the static library $library exports its public interface only" static_names $library "${headers[@]}"
done
if command -v man >/dev/null; then check "the man page is well-formed" man_page; else
    number=$((number + 1))
    echo "ok $number # SKIP the man page is well-formed: man-db is not installed"
fi
check "the man page names every option" man_names_all_options
echo "1..$number"
[ $failures -eq 0 ]
