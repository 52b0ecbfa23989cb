#!/usr/bin/env bash
# The engine and its tests also compile with clang, with the sanitisers' flags, in float and in double. Syntax only:
# nothing is built.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

header="$(mktemp)"  # the header of every test, precompiled
trap 'rm -f "$header"' EXIT

# takes [FLAG…] SOURCE
takes() {
  clang++ -std=c++20 -I. -isystem /usr/include/eigen3 -isystem /usr/local/include/eigen3 -Wall -Wextra -Werror \
    -Wno-psabi -ffp-contract=off -fno-math-errno -DEIGEN_DONT_VECTORIZE -DEIGEN_NO_DEBUG -DUNROLL_SOURCE_DIR='""' \
    -fsanitize=address,undefined -fno-sanitize-recover=all "$@"
}

# As in CMakeLists.txt, each folder of the engine is compiled as one file.
takes_all() {
  local precision="$1" folder source
  shift
  for folder in $(find engine -name '*.cpp' -printf '%h\n' | sort -u); do
    printf '#include "%s"\n' "$folder"/*.cpp | takes "$precision" -fsyntax-only -x c++ -
  done
  takes "$precision" -x c++-header tests/engine/support/test.h -o "$header"
  for source in "$@"; do takes "$precision" -fsyntax-only -include-pch "$header" "$source"; done
}

mapfile -t in_double < <(find tests/engine -name '*_gradient_test.cpp')
mapfile -t in_float < <(find tests/engine tests/bindings -name '*_test.cpp' ! -name '*_gradient_test.cpp')
takes_all -UUNROLL_DOUBLE bindings/{programs,reply,session,tasks,trace}.cpp tests/engine/support/*.cpp tests/fuzz/*.cpp \
  "${in_float[@]}"
takes_all -DUNROLL_DOUBLE tests/engine/support/*.cpp "${in_double[@]}"
