#!/usr/bin/env bash
# The engine and its bindings pass the checks of .clang-tidy.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

copy="$(mktemp -d)"
trap 'rm -rf "$copy"' EXIT
cp .clang-tidy "$copy"

# As in CMakeLists.txt, each folder of the engine is compiled as one file, so that shared headers are parsed once.
for folder in $(find engine -name '*.cpp' -printf '%h\n' | sort -u); do
  printf "#include \"%s\"\n" "$folder"/*.cpp >"$copy/${folder//\//-}.cpp"
done
status=0
for source in "$copy"/*.cpp bindings/{programs,reply,session,tasks,trace}.cpp; do
  clang-tidy --quiet "$source" -- -std=c++20 "-I$PWD" -isystem /usr/include/eigen3 -isystem /usr/local/include/eigen3 \
    -Wno-psabi -DEIGEN_DONT_VECTORIZE -DEIGEN_NO_DEBUG || status=1
done
exit "$status"
