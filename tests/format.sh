#!/usr/bin/env bash
# Every source is formatted according to .clang-format and .prettierrc.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Versions of clang-format break lines in different places.
formatter="$(command -v clang-format-14 || command -v clang-format)"
case "$("$formatter" --version)" in
  *' version 14.'*) ;;
  *) echo "$("$formatter" --version), but clang-format 14 is needed: on Debian 12, apt-get install clang-format-14" >&2; exit 1 ;;
esac
git ls-files '*.cpp' '*.h' | xargs "$formatter" --dry-run -Werror
cd web
npx prettier --check --log-level warn --cache --cache-location ../build/tests/prettier ../web/src ../web/plugin '../web/*.ts' '../tests/**/*.{ts,mjs}'
