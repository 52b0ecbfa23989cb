#!/usr/bin/env bash
# The test suites behind `./lab test`. Each is counted; the last line is the sum.

passed=0 failed=0

# count NAME PASSED FAILED
count() {
  passed=$((passed + $2)) failed=$((failed + $3))
  printf '%-28s %5d passed, %d failed\n' "$1" "$2" "$3"
}

# check NAME COMMAND…: one test that a command passes or fails.
check() {
  local name="$1" output
  shift
  if output="$("$@" 2>&1)"; then count "$name" 1 0; else printf '%s\n' "$output"; count "$name" 0 1; fi
}

# doctest NAME PROGRAM: counts its test cases.
doctest() {
  local name="$1" output line
  shift
  output="$("$@" 2>&1)" && local status=0 || local status=$?
  line="$(grep -E '^\[doctest\] test cases:' <<<"$output" | tail -n1)"
  if [ $status -ne 0 ] || [ -z "$line" ]; then printf '%s\n' "$output" | tail -n 80; fi
  local ok bad
  ok="$(sed -nE 's/.*\| *([0-9]+) passed.*/\1/p' <<<"$line")" bad="$(sed -nE 's/.*\| *([0-9]+) failed.*/\1/p' <<<"$line")"
  # A crash shows no line, or a status without a failure: it counts as one.
  [ $status -ne 0 ] && [ "${bad:-0}" = 0 ] && bad=1
  count "$name" "${ok:-0}" "${bad:-1}"
}

# vitest NAME FOLDER, playwright NAME PROJECT RETRIES: count the tests of the JavaScript runners.
# In a browser a test that fails may be tried once more, for the machine may have stalled; the list names each such test.
# What is timed is not: a bar that is reached at the second try is not reached.
vitest() {
  local report="$root/build/vitest-$2.json"
  rm -f "$report"
  (cd "$root/tests" && npx vitest run "$2/" --reporter=default --reporter=json --outputFile.json="$report") || true
  count_json "$1" "$report" numPassedTests numFailedTests
}

playwright() {
  local retries="$3" report="$root/build/playwright-$2.json"
  rm -f "$report"
  (cd "$root/tests" && PLAYWRIGHT_JSON_OUTPUT_FILE="$report" npx playwright test -c web/playwright.config.ts --project "$2" --retries="$retries" --reporter=line,json) || true
  count_json "$1" "$report" stats.expected,stats.flaky stats.unexpected
}

# count_json NAME REPORT PASSED-PATHS FAILED-PATHS, several with commas between; a report that is not there counts as a failure.
count_json() {
  local name="$1" counts
  shift
  counts="$(node -e '
    const [file, good, bad] = process.argv.slice(1);
    const report = JSON.parse(require("fs").readFileSync(file, "utf8"));
    const at = (path) => path.split(".").reduce((value, key) => value?.[key], report) ?? 0;
    const sum = (paths) => paths.split(",").reduce((total, path) => total + at(path), 0);
    const [passed, failed] = [sum(good), sum(bad)];
    const broken = report.numFailedTestSuites ?? report.errors?.length ?? 0;
    console.log(passed, passed + failed === 0 ? 1 : Math.max(failed, Math.min(broken, 1)));
  ' "$@" 2>/dev/null)" || counts='0 1'
  count "$name" $counts
}

formatted() {
  (cd "$root" && git ls-files '*.cpp' '*.h' | xargs clang-format --dry-run -Werror) &&
    (cd "$root/web" && npx prettier --check --log-level warn ../web/src ../web/plugin '../web/*.ts' '../tests/**/*.{ts,mjs}')
}

engine_suite() {
  native native engine_tests gradient_tests
  doctest 'engine' "$root/build/native/tests/engine_tests"
  doctest 'gradients, in double' "$root/build/native/tests/gradient_tests"
  native sanitize engine_tests gradient_tests
  doctest 'engine, sanitised' "$root/build/sanitize/tests/engine_tests"
  doctest 'gradients, sanitised' "$root/build/sanitize/tests/gradient_tests"
}

bindings_suite() {
  native native unroll_session unroll_same_bits unroll_conform
  native sanitize unroll_same_bits
  native release unroll_same_bits
  wasm
  need browser
  npm_install tests
  vitest 'bindings' bindings
}

lessons_suite() {
  native native unroll_session
  wasm engine
  npm_install web && npm_install tests
  vitest 'lessons' lessons
}

web_suite() {
  need browser
  site
  wasm engine
  npm_install tests
  check 'types of the page' npx --prefix "$root/web" tsc --noEmit -p "$root/web"
  vitest 'page, in Node' web
  playwright 'page, in Chromium' pages 1
  playwright 'page, timed' timed 0
}

# What it says of its arguments, with what the suites before have built.
lab_suite() {
  native release unroll_train
  npm_install web && npm_install tests
  check 'arguments of lab' "$root/tests/lab.sh"
}

format_suite() {
  need native_tools node_tools
  npm_install web
  check 'formatting' formatted
}

# run_tests [SUITE]
run_tests() {
  [ $# -le 1 ] || die "test takes one suite: remove \"$2\""
  case "${1:-all}" in
    all) engine_suite; bindings_suite; lessons_suite; web_suite; lab_suite; format_suite ;;
    engine | bindings | lessons | web) "$1_suite" ;;
    *) die "there is no suite \"$1\": use engine, bindings, web or lessons" ;;
  esac
  printf '\n%d passed, %d failed\n' "$passed" "$failed"
  [ "$failed" -eq 0 ]
}
