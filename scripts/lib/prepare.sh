# Shared by scripts/start and scripts/test: makes sure that what they need is installed, and says what is missing.

say() { printf '%s\n' "$*" >&2; }
fail() { say "$1"; exit "${2:-2}"; }

need_tools() {
  command -v node >/dev/null 2>&1 || fail "Node.js is not installed. Install Node.js 20.19 or newer (https://nodejs.org), then run this again."
  command -v npm >/dev/null 2>&1 || fail "npm is not installed. It comes with Node.js; install it, then run this again."
  node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' ||
    fail "Node.js $(node --version) is too old. Install Node.js 20.19 or newer, then run this again."
}

# Installs the packages that package-lock.json names, unless that very set is installed already.
install_packages() {
  local stamp="node_modules/.iaip-installed" wanted
  wanted=$(cat package-lock.json package.json <(node --version) | cksum)
  if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ]; then return 0; fi
  say "Installing packages (once; a minute or two) …"
  if ! npm ci --no-audit --no-fund --loglevel=error >&2; then
    for tool in python3 make c++; do
      command -v "$tool" >/dev/null 2>&1 || say "better-sqlite3 is built from source where no ready-made binary fits, and $tool is missing."
    done
    fail "npm could not install the packages; its own words are above."
  fi
  printf '%s' "$wanted" >"$stamp"
}

# Builds dist/ unless nothing that goes into it is newer.
build_if_needed() {
  if [ -f dist/iaip-dsl.mjs ] && [ -z "$(find src concepts scripts/build.mjs package.json -newer dist/iaip-dsl.mjs -type f -print -quit)" ]; then return 0; fi
  say "Building …"
  npm run --silent build >&2 || fail "The build failed; the lines above say where."
}
