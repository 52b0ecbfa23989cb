#!/usr/bin/env bash
# Provides a working Emscripten, native compiler, Eigen, doctest, Chromium and fonts; installs only what is missing.
# Sourced by ./lab: `need native_tools emscripten …` sets EMXX, EM_CONFIG and CHROMIUM.
#
# apt installs nothing without a yes, from the keyboard or by --yes: the question names each package and its purpose. Outside
# Debian and Ubuntu nothing is installed: the message names what is missing and which version is needed and, for Homebrew,
# the command that installs it.

# The oldest emcc whose output is known to run under the page's Content-Security-Policy.
readonly EMSCRIPTEN_MINIMUM=3.1.69
readonly NODE_MINIMUM=20.19.0

tools="$root/build/toolchain"

# missing PACKAGE VERSION WHY: records something this machine lacks.
missing=()
brewed=()
missing() {
  missing+=("  $1 ($2): $3")
  brewed+=("$(brew_name "$1")")
}

# brew_name PACKAGE: Homebrew's name for a Debian package.
brew_name() {
  case "$1" in
    g++) echo gcc ;;
    clang) echo llvm ;;
    ninja-build) echo ninja ;;
    libeigen3-dev) echo eigen ;;
    doctest-dev) echo doctest ;;
    nlohmann-json3-dev) echo nlohmann-json ;;
    fonts-dejavu-core) echo font-dejavu ;;
    fonts-liberation) echo font-liberation ;;
    *) echo "$1" ;;
  esac
}

# need TOOL…: provides each group of tools once, or stops with a list of what is missing.
declare -A ready=()
need() {
  local tool
  for tool in "$@"; do
    [ -n "${ready[$tool]:-}" ] && continue
    "$tool"
    report_missing
    ready[$tool]=1
  done
}

report_missing() {
  [ ${#missing[@]} -eq 0 ] && return
  printf 'Unroll needs the following, which it cannot install here:\n' >&2
  printf '%s\n' "${missing[@]}" >&2
  if have brew; then printf 'Install them, then run this command again: brew install %s\n' "${brewed[*]}" >&2; fi
  exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

can_install() { have apt-get && { [ "$(id -u)" = 0 ] || have sudo; }; }

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

# version_at_least WANTED FOUND
version_at_least() { [ "$(printf '%s\n' "$1" "$2" | sort -V | head -n1)" = "$1" ]; }

with_apt() { if [ "$(id -u)" = 0 ]; then echo 'with apt-get'; else echo 'with sudo apt-get'; fi; }

# ask_to_install WHAT WHY: returns if the answer is yes; otherwise stops.
ask_to_install() {
  local answer=
  if [ -z "${UNROLL_YES:-}" ]; then
    someone_is_there || die "$1 must be installed $(with_apt) first: run this command with --yes, or install it yourself"
    printf '· Install %s %s? (%s) [y/N] ' "$1" "$(with_apt)" "$2" >&2
    read -r answer || true
    [[ "$answer" =~ ^[yY] ]] || die "nothing was installed, so this command cannot go on"
  fi
  say "installing $1 $(with_apt): $2"
}

someone_is_there() { [ -t 0 ] && [ -t 2 ]; }

# apt_install WHY PACKAGE…: from the machine's own sources; updates the package lists only if needed.
apt_install() {
  ask_to_install "${*:2}" "$1"
  shift
  quietly as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@" ||
    { quietly as_root apt-get update && quietly as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"; } ||
    die "apt-get could not install: $*. See build/toolchain/install.log"
}

# want PACKAGE VERSION WHY: queues a package for install_wanted, or for report_missing if nothing can be installed.
wanted=()
reasons=()
want() {
  if ! can_install; then missing "$@"; return; fi
  wanted+=("$1")
  reasons+=("$1 $3")
}

install_wanted() {
  [ ${#wanted[@]} -eq 0 ] && return
  local why
  why="$(printf '%s; ' "${reasons[@]}")"
  apt_install "${why%; }" "${wanted[@]}"
  wanted=() reasons=()
}

# need_package COMMAND-OR-FILE PACKAGE VERSION WHY
need_package() {
  have "$1" || [ -e "$1" ] || want "${@:2}"
}

# need_cmake_package NAME PACKAGE VERSION WHY: a library that CMake finds, however it was installed (apt, Homebrew, vcpkg …).
need_cmake_package() {
  have cmake && (cd "$tools" && cmake --find-package -DNAME="$1" -DCOMPILER_ID=GNU -DLANGUAGE=CXX -DMODE=EXIST) >/dev/null 2>&1 && return
  want "${@:2}"
}

native_tools() {
  need_package g++ g++ '12 or newer' 'compiles the engine for the native tests'
  need_package cmake cmake '3.25 or newer' 'builds the engine'
  need_package ninja ninja-build 'any' 'runs the build'
  need_cmake_package Eigen3 libeigen3-dev '3.4' 'provides the tensor views and linear algebra'
  need_cmake_package doctest doctest-dev '2.4' 'runs the engine tests'
  need_cmake_package nlohmann_json nlohmann-json3-dev '3.11' 'reads the JSON of test tools'
  need_package clang-format clang-format '14' 'checks the formatting'
  install_wanted
}

# Debian 12 has Node 18; the page needs a newer one, which npm installs into build/toolchain.
node_tools() {
  node_is_new_enough && return
  if can_install; then
    have npm || apt_install 'npm installs the Node that builds the page' nodejs npm
    local package
    package="node-linux-$(uname -m | sed 's/x86_64/x64/; s/aarch64/arm64/')"
    say 'installing Node 20 with npm into build/toolchain: builds the page'
    quietly npm install --no-audit --no-fund --prefix "$tools/node" "$package@20.20.2" || die 'npm could not install Node 20. See build/toolchain/install.log'
    export PATH="$tools/node/node_modules/$package/bin:$PATH"
  fi
  node_is_new_enough || missing node "$NODE_MINIMUM or newer" 'builds the page and runs the browser tests'
}

node_is_new_enough() {
  local ours
  for ours in "$tools"/node/node_modules/node-linux-*/bin; do
    if [ -x "$ours/node" ]; then export PATH="$ours:$PATH"; fi
  done
  have node && version_at_least "$NODE_MINIMUM" "$(node --version | tr -d v)"
}

# Headless-shell Chromium takes half the time per page; if it is missing, any installed Chromium will do.
browser() {
  [ -z "${CHROMIUM:-}" ] || have "$CHROMIUM" || die "CHROMIUM is \"$CHROMIUM\", but there is no such program"
  CHROMIUM="${CHROMIUM:-$(command -v chromium-headless-shell || true)}"
  if [ -z "$CHROMIUM" ] && can_install; then
    apt_install 'runs the browser tests' chromium-headless-shell
    CHROMIUM="$(command -v chromium-headless-shell)"
  fi
  CHROMIUM="${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)}"
  [ -n "$CHROMIUM" ] || missing chromium '120 or newer' 'runs the browser tests'
  export CHROMIUM
}

# The browsers of ./lab browsers; one that is not available is skipped, with a message.
can_have_chromium() { (need browser) && need browser; }
can_have_firefox() {
  can_have Firefox firefox-esr '350 MB' firefox-esr || return
  FIREFOX="$(command -v firefox-esr)"
  export FIREFOX
}
can_have_webkit() { can_have WebKit WebKitWebDriver '200 MB' webkit2gtk-driver && can_have WebKit Xvfb '10 MB' xvfb; }

# can_have NAME COMMAND SIZE PACKAGE…
can_have() {
  local name="$1" command="$2" size="$3"
  shift 3
  have "$command" && return
  if can_install && say "$name needs $* (about $size, once)" && (apt_install 'a browser to try the built site in' "$@"); then return; fi
  say "$name is skipped, as $command is not installed: on Debian 12, apt-get install $*"
  return 1
}

# The tests are built with g++; a separate check compiles the engine with a second compiler.
second_compiler() {
  need_package clang++ clang '14 or newer' 'checks that the engine compiles elsewhere than in g++'
  install_wanted
}

# Finds mistakes that compile: see .clang-tidy.
linter() {
  need_package clang-tidy clang-tidy '14 or newer' 'checks the engine for common mistakes'
  install_wanted
}

# The page has its own web fonts. Some tests block them, on a machine with only one of these families.
fonts() {
  need_package /usr/share/fonts/truetype/dejavu fonts-dejavu-core 'any' 'for the tests without web fonts'
  need_package /usr/share/fonts/truetype/liberation fonts-liberation 'any' 'for the tests without web fonts'
  install_wanted
}

# A peer of `lab bench`, which leaves its columns out without it, and its usual BLAS.
pytorch() {
  export PYTHON="${PYTHON:-}"
  if [ -n "$(python_with_torch)" ] || (can_install && apt_install 'a peer in the benchmark' python3-torch libopenblas0-pthread); then
    PYTHON="$(python_with_torch)"
  fi
  # Debian's PyTorch takes whichever BLAS is there; the reference one is no peer.
  if [ "$(readlink -f "$(command -v "$PYTHON")")" = "$(readlink -f /usr/bin/python3)" ] && can_install && ! ls /usr/lib/*/openblas*/libblas.so.3 >/dev/null 2>&1; then
    (apt_install "PyTorch's usual BLAS, for the benchmark" libopenblas0-pthread) || true
  fi
}

python_with_torch() {
  local python
  for python in "$PYTHON" python3 /usr/bin/python3; do
    if have "$python" && "$python" -c 'import numpy, torch; torch.__version__' 2>/dev/null; then echo "$python"; return; fi
  done
}

# A recent enough emcc on the PATH (from emsdk) is used as is; otherwise Debian 13's package on Debian 12's clang 19.
emscripten() {
  if have em++ && version_at_least "$EMSCRIPTEN_MINIMUM" "$(emcc_version em++)"; then
    EMXX="$(command -v em++)"
    # Debian's package lacks a recent enough Binaryen and the JavaScript parser.
    [ "$EMXX" = /usr/bin/em++ ] && private_config
    export EMXX
    return
  fi
  if ! can_install || ! have dpkg; then missing emscripten "$EMSCRIPTEN_MINIMUM or newer" 'compiles the engine to WebAssembly'; return; fi
  install_emscripten_from_trixie
  EMXX=/usr/bin/em++
  private_config
  export EMXX
}

emcc_version() { "$1" --version 2>/dev/null | sed -n '1s/.*) \([0-9][0-9.]*[0-9]\).*/\1/p'; }

# Debian 12's own Emscripten dates from 2022; Debian 13's runs on Debian 12's clang 19. It comes from a separate apt source, in a
# private directory and with a low pin, so that the machine's own sources do not change; the mirror is the one already in use.
install_emscripten_from_trixie() {
  ask_to_install "Emscripten $EMSCRIPTEN_MINIMUM from Debian 13" 'about 240 MB, once; it compiles the engine to WebAssembly'
  local apt="$tools/apt" mirror
  mirror="$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | grep -m1 -E '/debian/?$')"
  [ -n "$mirror" ] || { quietly as_root apt-get update; mirror="$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -m1 -E '/debian/?$')"; }
  [ -n "$mirror" ] || die "no Debian mirror is configured on this machine: put an emcc $EMSCRIPTEN_MINIMUM or newer on the PATH"
  mkdir -p "$apt/lists/partial" "$apt/parts"
  cat /etc/apt/sources.list 2>/dev/null >"$apt/sources.list" || : >"$apt/sources.list"
  cp /etc/apt/sources.list.d/debian* "$apt/parts/" 2>/dev/null || true
  cat >"$apt/parts/trixie.sources" <<SOURCE
Types: deb
URIs: $mirror
Suites: trixie
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
SOURCE
  printf 'Package: *\nPin: release n=trixie\nPin-Priority: 100\n' >"$apt/preferences"
  # As root, because _apt cannot read the lists in this folder.
  local options=(-o "Dir::Etc::SourceList=$apt/sources.list" -o "Dir::Etc::SourceParts=$apt/parts"
    -o "Dir::State::Lists=$apt/lists" -o "Dir::Etc::Preferences=$apt/preferences" -o APT::Sandbox::User=root)
  quietly as_root apt-get "${options[@]}" update || die 'apt-get could not read the Debian 13 package list. See build/toolchain/install.log'
  quietly as_root env DEBIAN_FRONTEND=noninteractive apt-get "${options[@]}" install -y --no-install-recommends \
    clang-19 lld-19 llvm-19 emscripten/trixie || die 'apt-get could not install Emscripten. See build/toolchain/install.log'
}

# Debian's Emscripten with npm's Binaryen 120 (Debian 12's is too old) and Debian's acorn, which only Debian's own Node finds.
# Its cache is frozen: the package brings the built libraries, and /usr/share stays as the package left it.
private_config() {
  local wrappers="$tools/binaryen" tool node
  node="$(command -v node)"
  npm_install bindings
  mkdir -p "$wrappers/bin"
  for tool in "$root"/bindings/node_modules/binaryen/bin/*; do
    printf '#!/bin/sh\nexec node "%s" "$@"\n' "$tool" >"$wrappers/bin/$(basename "$tool")"
  done
  printf '#!/bin/sh\nexec node "%s" --target es2020 --lib es2020,dom "$@"\n' "$root/bindings/node_modules/typescript/bin/tsc" >"$wrappers/bin/tsc"
  node_that_finds_acorn "$node" >"$wrappers/bin/node-with-acorn"
  chmod +x "$wrappers"/bin/*
  cat >"$tools/emscripten.py" <<CONFIG
LLVM_ROOT = '/usr/lib/llvm-19/bin'
BINARYEN_ROOT = '$wrappers'
NODE_JS = '$wrappers/bin/node-with-acorn'
CACHE = '/usr/share/emscripten/cache'
FROZEN_CACHE = True
EMSCRIPTEN_ROOT = '/usr/share/emscripten'
CONFIG
  export EM_CONFIG="$tools/emscripten.py"
  export PATH="$wrappers/bin:$PATH"
}

# node_that_finds_acorn NODE: prints a script: NODE, which resolves "acorn" for Emscripten's optimiser.
node_that_finds_acorn() {
  local hook="export const resolve = (name, context, next) => next(name === 'acorn' ? 'file:///usr/share/nodejs/acorn/dist/acorn.mjs' : name, context);"
  printf 'import { register } from "node:module";\nregister("data:text/javascript," + encodeURIComponent(%s));\n' "\"$hook\"" >"$tools/acorn.mjs"
  cat <<SCRIPT
#!/bin/sh
case "\$*" in
  *acorn-optimizer*) exec "$1" --import "$tools/acorn.mjs" "\$@" ;;
  *) exec "$1" "\$@" ;;
esac
SCRIPT
}

# npm_install FOLDER: installs the packages of FOLDER/package-lock.json, unless they are up to date.
npm_install() {
  local stamp="$root/$1/node_modules/.unroll-lock"
  cmp -s "$root/$1/package-lock.json" "$stamp" && return
  say "installing the npm packages of $1"
  (cd "$root/$1" && quietly npm ci --no-audit --no-fund --ignore-scripts) || die "npm could not install the packages of $1. See build/toolchain/install.log"
  cp "$root/$1/package-lock.json" "$stamp"
}
