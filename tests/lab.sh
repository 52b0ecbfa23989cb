#!/usr/bin/env bash
# How ./lab handles its arguments: it refuses a bad one in one sentence on stderr, with a non-zero status, before building.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
wrong=0

complain() {
  printf '%s\n' "$@"
  wrong=1
}

# says TEXT COMMAND…: the command succeeds, and its output contains the text.
says() {
  local text="$1" output
  shift
  output="$("$@" 2>&1)" || complain "$*: exited with status $?"
  [[ "$output" == *"$text"* ]] || complain "$*: should say \"$text\", but said"  "$output"
}

# refuses SENTENCE COMMAND…: the command fails, and prints this sentence alone on stderr.
refuses() {
  local sentence="$1" output
  shift
  output="$("$@" 2>&1 >/dev/null)" && complain "$*: was not refused"
  [ "$output" = "$sentence" ] || complain "$*: should say \"$sentence\", but said" "$output"
}

for asked in '' help --help; do says './lab serve [--port N] [--dev]' ./lab $asked; done
refuses 'lab: there is no command "sevre": see ./lab help' ./lab sevre

for port in x -1 0 65536 080; do
  refuses "lab: --port is \"$port\": use a number from 1 to 65535" ./lab serve --port "$port"
done
refuses 'lab: --port needs a value' ./lab serve --port
refuses 'lab: --port needs a value' ./lab serve --port --dev
refuses 'lab: serve does not take "8000": see ./lab help' ./lab serve 8000
refuses 'lab: picture does not take "15": see ./lab help' ./lab picture 15
refuses 'lab: build does not take "--dev": see ./lab help' ./lab build --dev
refuses 'lab: release does not take "--dev": see ./lab help' ./lab release --dev

refuses 'lab: run takes a program: ./lab run FILE.py' ./lab run
refuses 'lab: --task needs a value' ./lab run some.py --task

suites='use all, engine, bindings, lessons, web, fuzz or lab'
refuses "lab: there is no suite \"all the tests\": $suites" ./lab test 'all the tests'
refuses 'lab: the suite engine has no lesson or file that matches "web"' ./lab test engine web
refuses 'lab: the suite web has no lesson or file that matches "99"' ./lab test web 99
refuses 'lab: test takes one suite and one name: remove "16"' ./lab test lessons 15 16
refuses 'lab: the suite fuzz takes minutes: run "./lab test all fuzz"' ./lab test fuzz
refuses 'lab: fuzz has no reader "": use safetensors, pairs, text, config, syntax, program, session, links, records or differential' ./lab fuzz
refuses 'lab: --count is "many": use a whole number' ./lab fuzz links --count many
refuses 'lab: there is no file "tests/web/none.spec.ts"' ./lab test tests/web/none.spec.ts
refuses 'lab: there is no file "lessons/99-none"' ./lab test lessons/99-none
refuses 'lab: --since needs a value: name a revision, like HEAD~1' ./lab test --since
refuses 'lab: there is no revision "never": see git log' ./lab test --since never
refuses 'lab: --since chooses the tests itself: remove "web"' ./lab test web --since HEAD
refuses 'lab: timed tests need two cores, and this machine has one: name a suite other than web' taskset -c 0 ./lab test
says 'lab: CHROMIUM is "/no/browser", but there is no such program' eval '! CHROMIUM=/no/browser ./lab test web link'

# A lesson's name selects that lesson, in the suite lessons alone.
asked='import { jobsFor, readWords } from "./tests/run/choose.mjs";
for (const { parts, files, title } of jobsFor(readWords(process.argv.slice(1))))
  console.log(new Set(parts.map(({ suite }) => suite)), files.length > 0, title);'
for name in 16 four-words 16-four-words; do
  named="$(node --input-type=module -e "$asked" lessons "$name" 2>&1)"
  [ "$named" = "Set(1) { 'lessons' } true lessons/(four-words)/" ] || complain "./lab test lessons $name would run:" "$named"
done

# A change to one figure runs the tests that name its element, and the lessons that have it on their bench.
touched='import { PARTS } from "./tests/run/parts.mjs";
import { touchedBy } from "./tests/run/since.mjs";
const select = touchedBy([process.argv[1]], ["01-softmax", "19-many-heads"]);
console.log(PARTS.flatMap((part) => select(part)).flatMap(({ files, title = "" }) => [...files, title]).join(" "));'
says 'web/views-transformer.spec.ts' node --input-type=module -e "$touched" web/src/figures/heads/heads.ts
says 'lessons/(many-heads)/' node --input-type=module -e "$touched" web/src/figures/heads/heads.ts
# And of the texts of one room: the tests that name its elements.
says 'web/settings.spec.ts' node --input-type=module -e "$touched" web/src/messages/en/workbench.ts

# A run that is interrupted during its builds.
interrupted() {
  local said run
  said="$(mktemp)"
  ./lab test web link >"$said" 2>&1 &
  run=$!
  until grep -q building "$said" || ! kill -0 $run; do sleep 0.05; done
  kill -INT $run
  wait $run
  local status=$?
  tail -n1 "$said"
  rm "$said"
  return $status
}
says 'lab: the test run was interrupted, so nothing was counted' eval '! interrupted'

# A checkout copied together with its builds: the copy rebuilds, and says so once.
copied() {
  local one two
  one="$(mktemp -d)"
  two="$one-copy"
  mkdir -p "$one/bindings" "$one/tests/node_modules"
  cp lab CMakePresets.json "$one"
  cp bindings/toolchain.sh "$one/bindings"
  touch "$one/tests/package-lock.json" "$one/tests/node_modules/.unroll-lock"
  printf 'cmake_minimum_required(VERSION 3.25)\nproject(small NONE)\nadd_custom_target(small)\n' >"$one/CMakeLists.txt"
  "$one/lab" make native/small && cp -r "$one" "$two"
  "$two/lab" make native/small && "$two/lab" make native/small 2>&1 | sed 's/^/again: /'
  rm -r "$one" "$two"
}
said="$(copied 2>&1)"
afresh='· the native build belongs to another checkout: rebuilding it here, which takes minutes'
[ "$said" = "$(printf '%s\n' '· configuring the native build' "$afresh" '· configuring the native build')" ] ||
  complain 'a copied checkout said:' "$said"

# A site is packed under its version; the same site gives the same archive, and a version needs an entry in the changelog.
packed() {
  local one
  one="$(mktemp -d)"
  mkdir -p "$one"/{bindings,web}/node_modules "$one"/bindings/node_modules/binaryen/bin "$one"/{lessons,engine,.github} "$one"/build/{wasm,site}
  cp lab LICENSE CMakePresets.json "$one"
  cp bindings/toolchain.sh bindings/runtime-notices.txt "$one/bindings"
  cp web/package.json "$one/web"
  cp .github/CHANGELOG.md .github/CITATION.cff "$one/.github"
  touch "$one"/{bindings,web}/package-lock.json "$one"/{bindings,web}/node_modules/.unroll-lock
  touch "$one"/bindings/node_modules/binaryen/bin/none "$one"/build/wasm/engine_none.{mjs,wasm}
  printf 'cmake_minimum_required(VERSION 3.25)\nproject(small NONE)\nadd_custom_target(page_modules)\n' >"$one/CMakeLists.txt"
  echo page >"$one/build/site/index.html"
  touch "$one/build/page-built"
  (cd "$one" && export SOURCE_DATE_EPOCH=1 && ./lab release && mv build/unroll-*.sha256 first && ./lab release && cmp first build/unroll-*.sha256 &&
    cd build && sha256sum -c unroll-*.sha256 && tar -tf unroll-*.tar.gz)
  sed -i 's/^## [0-9].*//' "$one/.github/CHANGELOG.md"
  "$one/lab" release
  rm -r "$one"
}
version="$(node -p "require('./web/package.json').version")"
archive="$(packed 2>&1)"
for line in "unroll-$version.tar.gz: OK" "unroll-$version/index.html" "lab: version $version has no entry in .github/CHANGELOG.md: write one"; do
  grep -qxF "$line" <<<"$archive" || complain "lab release should say \"$line\", but said" "$archive"
done

refuses 'lab: conform takes one folder of cases: ./lab conform DIR' ./lab conform
refuses 'lab: conform takes one folder of cases: ./lab conform DIR' ./lab conform no-such-folder

refuses 'lab: --only needs a value' ./lab bench --only
refuses 'lab: --json needs a value' ./lab bench --json --check
refuses 'lab: bench does not take "--fast": see ./lab help' ./lab bench --fast
refuses 'lab bench: no case has "no such case" in its name: change --only' node tests/bench/run.mjs --only 'no such case'

train=build/native/tests/unroll_train
says 'tasks:  addition' $train
refuses 'lab train: --seed is "x": use a number from 0 to 1e9' $train reverse gru --seed x
refuses 'lab train: --seed needs a value' $train reverse gru --seed
refuses 'lab train: --threads is "0": use a whole number from 1 to 64' $train reverse gru --threads 0
refuses 'lab train: --set is "hidden": use NAME=VALUE' $train reverse gru --set hidden
refuses 'lab train: there is no option "--sed": use --seed, --seconds, --threads, --program, --set, --json or --pytorch' $train reverse gru --sed 1
refuses 'lab: train takes the settings from the lesson alone: remove "--seed"' ./lab train lessons/06-seq2seq --seed 2
says 'lab train: a model is missing after the task: use one of rnn, ' eval '! $train reverse'
refuses 'lab: --json needs a value' ./lab lessons --json
refuses 'lab: lessons does not take "softmax": see ./lab help' ./lab lessons softmax
refuses 'lab: lessons --claims takes one lesson: remove "order"' ./lab lessons --claims softmax order
says 'lab lessons: There is no lesson "none": use one of ' eval '! node web/plugin/report.mjs --claims none'
says '0 claims tried, 0 do not hold' node web/plugin/report.mjs --claims four-words
says 'softmax ' node web/plugin/report.mjs
says 'lab lessons: ENOENT' eval '! node web/plugin/report.mjs --json /no/such/folder/file'
says 'lab train: The front matter of 01-softmax has no "trained"' eval '! node web/plugin/weights.mjs lessons/01-softmax'
says 'lab train: There is no lesson "99-none": use one of 00-look-first, 01-softmax' eval '! node web/plugin/weights.mjs lessons/99-none'

refuses 'lab: --where needs a value' ./lab bars --where
refuses 'lab bars: --where is "firefox": use native or chromium' node tests/train/bars.mjs --where firefox
refuses 'lab bars: --seeds is "1,x": use whole numbers from 1 with commas between them' node tests/train/bars.mjs --seeds 1,x
refuses 'lab bars: no run has "no such run" in its name: change --only' node tests/train/bars.mjs --only 'no such run'

refuses 'lab: browsers does not take "opera": see ./lab help' ./lab browsers opera
# Installing names each package and its purpose first; with Homebrew, nothing is installed, and the command is printed.
toolchain='root=$PWD; say() { echo "$*"; }; quietly() { :; }; . bindings/toolchain.sh; [ -d "$tools" ] || mkdir -p "$tools"'
by_apt="$toolchain; die() { echo \"lab: \$*\" >&2; exit 1; }; id() { echo 1000; }; have() { [ \"\$1\" = apt-get ] || [ \"\$1\" = sudo ]; }; need native_tools"
packages='g++ cmake ninja-build libeigen3-dev doctest-dev nlohmann-json3-dev clang-format'
export UNROLL_YES=
refuses "lab: $packages must be installed with sudo apt-get first: run this command with --yes, or install it yourself" \
  bash -c "$by_apt" </dev/null
# answered TEXT: what is asked at a terminal where TEXT is typed.
answered() { script -qec "bash -c '$by_apt'" /dev/null <<<"$1"; }
says "Install $packages with sudo apt-get? (g++ compiles the engine" answered y
says "installing $packages with sudo apt-get: g++ compiles" answered y
says 'lab: nothing was installed, so this command cannot go on' eval '! answered n'
UNROLL_YES=1 says "installing $packages with sudo apt-get: g++ compiles" \
  bash -c "$by_apt"
by_brew="$toolchain; have() { [ \"\$1\" = brew ]; }; need native_tools"
says 'g++ (12 or newer): compiles the engine for the native tests' eval '! bash -c "$by_brew"'
says 'then run this command again: brew install gcc cmake ninja eigen doctest nlohmann-json clang-format' eval '! bash -c "$by_brew"'

# A machine that has nothing and can install nothing.
left_out='root=$PWD; say() { echo "$*"; }; . bindings/toolchain.sh; have() { false; }; ! can_have_firefox && ! can_have_webkit'
for browser in 'Firefox is skipped, as firefox-esr is not installed: on Debian 12, apt-get install firefox-esr' \
  'WebKit is skipped, as WebKitWebDriver is not installed: on Debian 12, apt-get install webkit2gtk-driver'; do
  says "$browser" bash -c "$left_out"
done

refuses 'there is no fault "none": see tests/faults/faults.txt' node tests/faults/run.mjs none
says '50 faults fit the sources' node tests/faults/run.mjs --check

exit $wrong
