#!/usr/bin/env bash
# Installs into a temporary folder, and builds and runs a ten-line program against it: with CMake and with pkg-config, shared and
# static, as C and as C++. Checks that only the public interface is exported, and that the man page is well-formed.
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
    printf("%g s\n", scree_world_get_time(world));
    scree_world_destroy(world);
    return 0;
}
END
cp "$folder/ten.c" "$folder/ten.cpp"
cat >"$folder/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(ten LANGUAGES C)
if(STATIC)
  find_package(scree 0.2 REQUIRED COMPONENTS static)
  set(library scree::scree_static)
else()
  find_package(scree 0.2 REQUIRED)
  set(library scree::scree)
endif()
add_executable(ten ten.c)
target_link_libraries(ten PRIVATE ${library})
END

install_there() { cmake --install "$SCREE_BUILD_DIR" --prefix "$prefix"; }
files_are_there() {
    local file status=0
    for file in bin/scree include/scree/scree.h lib*/libscree.so lib*/libscree.a lib*/cmake/scree/scree-config.cmake \
        lib*/pkgconfig/scree.pc share/man/man1/scree.1 share/bash-completion/completions/scree; do
        # shellcheck disable=SC2086
        [ -e "$(echo $prefix/$file)" ] || { echo "missing: $file"; status=1; }
    done
    return $status
}
with_cmake() { # ON or OFF: static
    cmake -S "$folder" -B "$folder/cmake-$1" -DCMAKE_PREFIX_PATH="$prefix" -DSTATIC="$1" &&
        cmake --build "$folder/cmake-$1" && "$folder/cmake-$1/ten" &&
        if [ "$1" = ON ]; then ! ldd "$folder/cmake-$1/ten" | grep libscree; else ldd "$folder/cmake-$1/ten" | grep "$prefix.*libscree"; fi
}
with_pkg_config() { # compiler source shared|static
    local libraries program=$folder/pkg-$1-$3
    if [ "$3" = static ]; then
        libraries=$(pkg-config --static --libs scree | sed 's/-lscree/-l:libscree.a/') || return 1
    else
        libraries=$(pkg-config --libs scree) || return 1
    fi
    # shellcheck disable=SC2046,SC2086
    "$1" -Wall -Wextra -Werror -pedantic $(pkg-config --cflags scree) "$folder/$2" -o "$program" $libraries &&
        LD_LIBRARY_PATH=$library_dir "$program"
}
exports_public_names_only() { # nm's output of defined symbols
    local name status=0
    for name in $(awk '$2 ~ /^[A-Z]$/ && $2 != "U" { print $3 }' "$1"); do
        grep -qw "$name" "$SCREE_SOURCE_DIR"/include/scree/{,tools/}*.h || { echo "exported but not in a public header: $name"; status=1; }
    done
    for name in $(grep -hoE '\bscree_[a-z0-9_]+\(' "$SCREE_SOURCE_DIR"/include/scree/{,tools/}*.h | tr -d '(' | sort -u); do
        grep -qw "$name" "$1" || { echo "declared but not exported: $name"; status=1; }
    done
    return $status
}
shared_names() { nm -D --defined-only "$library_dir/libscree.so" >"$folder/names" && exports_public_names_only "$folder/names"; }
static_names() { nm --extern-only --defined-only "$library_dir/libscree.a" | grep ' ' >"$folder/names" && exports_public_names_only "$folder/names"; }
headers_alone() { # each header compiles by itself, as C11 and as C++11
    local header
    for header in "$prefix"/include/scree/{,tools/}*.h; do
        gcc -std=c11 -Wall -Wextra -Werror -pedantic -I"$prefix/include" -fsyntax-only -x c "$header" || return 1
        g++ -std=c++11 -Wall -Wextra -Werror -pedantic -I"$prefix/include" -fsyntax-only -x c++ "$header" || return 1
    done
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
library_dir=$(dirname "$(ls "$prefix"/lib*/libscree.so "$prefix"/lib/*/libscree.so 2>/dev/null | head -n 1)")
export PKG_CONFIG_PATH=$library_dir/pkgconfig:${PKG_CONFIG_PATH:-}
check "find_package, shared library" with_cmake OFF
check "find_package, static library" with_cmake ON
check "pkg-config, shared library" with_pkg_config gcc ten.c shared
check "pkg-config, static library" with_pkg_config gcc ten.c static
check "pkg-config, C++" with_pkg_config g++ ten.cpp shared
check "every header stands alone, in C and C++" headers_alone
check "the shared library exports the public interface only" shared_names
check "the static library exports the public interface only" static_names
if command -v man >/dev/null; then check "the man page is well-formed" man_page; else
    number=$((number + 1))
    echo "ok $number # SKIP the man page is well-formed: man-db is not installed"
fi
check "the man page names every option" man_names_all_options
echo "1..$number"
[ $failures -eq 0 ]
