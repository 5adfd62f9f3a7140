#!/bin/sh
# Makes the images of the tests, with an engine that answers (docker/engine.sh). As root on a Debian no container registry
# is needed; elsewhere the public base images are taken.
#
#   build-images.sh bases   only the two base images; the server need not be built yet
#   build-images.sh         all: bases, the server's image from server/target/dist, the image of the tests on top of it
#
#   exec-server-base:local  Debian with what docker/Dockerfile would install, from the package mirror of this machine
#   exec-server-jdk:local   the JDK 25 of this machine
#   exec-server:local       what docker/Dockerfile makes of them
#   exec-server-it:local    the same with an old bubblewrap beside it
#
# Each image bears a digest of what it was made from, and is left alone while that is the same.

set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
cd "$root"
. server/src/dist/bin/launcher.sh

label=dev.execserver.inputs
suite=trixie
old_suite=bookworm # has bubblewrap 0.8.0, which knows no --argv0
packages=bubblewrap,ca-certificates,git,procps,ripgrep,tini

say() { printf 'images: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

public=yes
base_image=debian:$suite-slim
jdk_image=eclipse-temurin:25-jdk
if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null 2>&1; then
    public=no
    base_image=exec-server-base:local
    jdk_image=exec-server-jdk:local
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

digest() { sha256sum | cut -c1-32; }

# is_current IMAGE INPUTS
is_current() { [ "$(docker image inspect -f "{{index .Config.Labels \"$label\"}}" "$1" 2>/dev/null)" = "$2" ]; }

# The mirror that this machine takes its Debian from.
mirror() {
    uri=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' | head -n 1)
    if [ -z "$uri" ]; then
        apt-get -qq update </dev/null
        uri=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' | head -n 1)
    fi
    [ -n "$uri" ] || die 'no package mirror of Debian is configured here'
    echo "$uri"
}

base() {
    inputs=$(printf '%s\n' "$suite" "$packages" 1 | digest)
    if is_current exec-server-base:local "$inputs"; then
        return
    fi
    say "making exec-server-base:local from the packages of $suite"
    if ! command -v mmdebstrap >/dev/null 2>&1; then
        export DEBIAN_FRONTEND=noninteractive
        { apt-get -qq update && apt-get -qq install -y --no-install-recommends mmdebstrap; } </dev/null >&2
    fi
    # Without translations and manuals, as the public slim images.
    mmdebstrap --quiet --variant=minbase --include="$packages" --aptopt='APT::Install-Recommends "false"' \
        --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
        --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
        "$suite" "$work/base.tar" "deb $(mirror) $suite main" </dev/null
    docker import --change "LABEL $label=$inputs" --change 'CMD ["bash"]' "$work/base.tar" exec-server-base:local >/dev/null
    rm "$work/base.tar"
}

jdk() {
    home=$(readlink -f "$(find_java java javac)") || die_without_java
    inputs=$(digest <"$home/release")
    if is_current exec-server-jdk:local "$inputs"; then
        return
    fi
    say "importing $home as exec-server-jdk:local"
    # Links are followed, because packaged JDKs link files outside of them. A JDK without jmods checks all of its files when
    # it links a runtime; only the sources may be missing.
    tar -C "$home" --dereference --numeric-owner --owner=0 --group=0 --exclude=./lib/src.zip \
        --transform 's,^\.,opt/java/openjdk,S' -c . |
        docker import --change "LABEL $label=$inputs" - exec-server-jdk:local >/dev/null
}

# The classic builder: every engine has it, also those without the buildx plug-in.
classic_build() {
    DOCKER_BUILDKIT=0 docker build --force-rm --label "$label=$inputs" "$@" >"$work/build.log" 2>&1 || {
        tail -n 30 "$work/build.log" >&2
        die 'the build of the image failed'
    }
}

# Only what the build needs is sent, so that a change of anything else leaves all layers as they are.
server() {
    dist=server/target/dist
    [ -f "$dist/exec-server.jar" ] || die 'the server is not packaged; run bin/exec-server --version once'
    files="$dist docker/Dockerfile docker/healthy tools"
    # shellcheck disable=SC2086
    inputs=$({
        find $files -type f ! -name '*.aot' ! -name .built ! -name jdk-release -exec sha256sum {} + | LC_ALL=C sort -k 2
        [ "$public" = yes ] || docker image inspect -f '{{.Id}}' "$base_image" "$jdk_image"
    } | digest)
    if is_current exec-server:local "$inputs"; then
        return
    fi
    say 'building exec-server:local'
    # shellcheck disable=SC2086
    tar --exclude='*.aot' --exclude=.built --exclude=jdk-release --numeric-owner --owner=0 --group=0 -c $files >"$work/context.tar"
    classic_build --build-arg BASE_IMAGE="$base_image" --build-arg JDK_IMAGE="$jdk_image" --build-arg DIST=context \
        --label "dev.execserver.jar=$(sha256sum <"$dist/exec-server.jar" | cut -c1-64)" \
        -f docker/Dockerfile -t exec-server:local - <"$work/context.tar"
}

# apt with lists of its own, for one suite: what this machine has configured is neither used nor changed.
old_bubblewrap() {
    mkdir -p "$work/apt/lists/partial" "$work/apt/cache/archives/partial" "$work/it"
    echo "deb $(mirror) $old_suite main" >"$work/apt/sources"
    set -- -qq -o Dir::Etc::sourcelist="$work/apt/sources" -o Dir::Etc::sourceparts=/dev/null \
        -o Dir::State::lists="$work/apt/lists" -o Dir::Cache="$work/apt/cache" -o APT::Sandbox::User=root \
        -o Acquire::Languages=none
    (cd "$work/apt" && apt-get "$@" update && apt-get "$@" download bubblewrap) </dev/null >&2
    dpkg-deb -x "$work"/apt/bubblewrap_*.deb "$work/apt/files"
    cp "$work/apt/files/usr/bin/bwrap" "$work/it/bwrap"
}

# The package does not change with the server: it stays in an image of its own.
bwrap_image() {
    if docker image inspect "exec-server-bwrap:$old_suite" >/dev/null 2>&1; then
        return
    fi
    if [ "$public" = yes ]; then
        printf 'FROM debian:%s-slim\nRUN apt-get -qq update && apt-get -qq install -y bubblewrap && mv /usr/bin/bwrap /bwrap\n' \
            "$old_suite" | classic_build -t "exec-server-bwrap:$old_suite" -
    else
        old_bubblewrap
        tar -C "$work/it" --numeric-owner --owner=0 --group=0 -c bwrap | docker import - "exec-server-bwrap:$old_suite" >/dev/null
    fi
}

it() {
    inputs=$(printf '%s\n' "$(docker image inspect -f '{{.Id}}' exec-server:local)" "$old_suite" 1 | digest)
    if is_current exec-server-it:local "$inputs"; then
        return
    fi
    say 'building exec-server-it:local'
    bwrap_image
    printf 'FROM exec-server:local\nCOPY --from=exec-server-bwrap:%s /bwrap /opt/old-bwrap/bwrap\n' "$old_suite" |
        classic_build -t exec-server-it:local -
}

# One at a time: the others wait here and then find everything made.
exec 9<docker/Dockerfile
flock 9

command -v docker >/dev/null 2>&1 && docker version >/dev/null 2>&1 || die 'no engine answers; run docker/engine.sh start'
if [ "$public" = no ]; then
    base
    jdk
fi
if [ "${1-}" = bases ]; then
    exit 0
fi
server
it
