#!/usr/bin/env bash
# Every source is formatted as .clang-format and .prettierrc say.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
git ls-files '*.cpp' '*.h' | xargs clang-format --dry-run -Werror
cd web
npx prettier --check --log-level warn ../web/src ../web/plugin '../web/*.ts' '../tests/**/*.{ts,mjs}'
