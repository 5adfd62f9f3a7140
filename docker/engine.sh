#!/bin/sh
# engine.sh start   makes a Docker engine answer: the one that is there, else one that it installs and starts (root, Debian)
# engine.sh stop    removes the containers and networks of the tests; ends the engine only if "start" began it
# engine.sh clean   only removes them, by their label
# engine.sh answers tells by its exit status whether an engine answers
#
#   DOCKER_HOST     the socket, if it is not the usual one; an engine behind tcp:// is used but never started
#   ENGINE_DIR      where an engine that is started here keeps its images (default /var/lib/docker)
#   ENGINE_RUN      where its process id and log are (default /run/exec-server-engine)
#
# Exit status of start: 0 the engine answers, 3 none can run here.

set -eu
DOCKER_HOST=${DOCKER_HOST:-unix:///var/run/docker.sock}
export DOCKER_HOST
engine_dir=${ENGINE_DIR:-/var/lib/docker}
run_dir=${ENGINE_RUN:-/run/exec-server-engine}
label=dev.execserver.it

say() { printf 'engine: %s\n' "$*" >&2; }

answers() { command -v docker >/dev/null 2>&1 && timeout 5 docker version >/dev/null 2>&1; }

# A policy-rc.d keeps the package from starting a service where no init system runs.
install_engine() {
    say 'installing docker.io'
    policy=/usr/sbin/policy-rc.d
    ours=no
    if [ ! -d /run/systemd/system ] && [ ! -e "$policy" ]; then
        printf '#!/bin/sh\nexit 101\n' >"$policy"
        chmod 755 "$policy"
        ours=yes
    fi
    export DEBIAN_FRONTEND=noninteractive
    result=0
    { apt-get -qq update && apt-get -qq install -y --no-install-recommends docker.io iptables; } \
        </dev/null >"$run_dir/install.log" 2>&1 || result=$?
    [ "$ours" = no ] || rm -f "$policy"
    [ "$result" -eq 0 ] || tail -n 5 "$run_dir/install.log" >&2
    return "$result"
}

# Without control groups no container starts.
mount_cgroups() {
    grep -q ' /sys/fs/cgroup' /proc/self/mounts || mount -t cgroup2 none /sys/fs/cgroup || say 'cannot mount control groups'
}

# Tries one storage driver. The engine has a session of its own: it outlives this shell and holds none of its pipes.
launch() {
    rm -f "$run_dir/docker.pid" # left by a kill -9; the engine refuses to start while the number in it lives
    set -- --storage-driver "$1"
    iptables -t nat -L -n >/dev/null 2>&1 || set -- "$@" --iptables=false --ip6tables=false
    setsid dockerd --host "$DOCKER_HOST" --data-root "$engine_dir" --exec-root "$run_dir/exec" \
        --pidfile "$run_dir/docker.pid" "$@" >"$run_dir/dockerd.log" 2>&1 </dev/null &
    engine=$!
    tries=0
    while [ "$tries" -lt 150 ]; do
        if answers; then
            echo "$engine" >"$run_dir/started"
            say "started with $*"
            return 0
        fi
        kill -0 "$engine" 2>/dev/null || return 1
        sleep 0.2
        tries=$((tries + 1))
    done
    kill "$engine" 2>/dev/null || true
    wait "$engine" 2>/dev/null || true
    return 1
}

start() {
    if answers; then
        say 'one already answers'
        return 0
    fi
    case $DOCKER_HOST in
        unix://*) ;;
        *) say "none answers at $DOCKER_HOST"; return 3 ;;
    esac
    if [ "$(id -u)" -ne 0 ]; then
        say 'none answers, and only root can start one'
        return 3
    fi
    mkdir -p "$run_dir"
    if ! command -v dockerd >/dev/null 2>&1; then
        if ! command -v apt-get >/dev/null 2>&1 || ! install_engine; then
            say 'docker.io cannot be installed'
            return 3
        fi
        if answers; then
            return 0
        fi
    fi
    mount_cgroups
    for driver in overlay2 vfs; do
        if launch "$driver"; then
            return 0
        fi
        say "not with $driver:"
        tail -n 3 "$run_dir/dockerd.log" >&2
    done
    return 3
}

clean() {
    for container in $(docker ps -aq --filter "label=$label"); do
        docker rm -f -v "$container" >/dev/null 2>&1 || true
    done
    for network in $(docker network ls -q --filter "label=$label"); do
        docker network rm "$network" >/dev/null 2>&1 || true
    done
}

stop() {
    if ! answers; then
        rm -f "$run_dir/started"
        return 0
    fi
    clean
    if [ ! -f "$run_dir/started" ]; then
        say 'left running: it was not started here'
        return 0
    fi
    engine=$(cat "$run_dir/started")
    rm -f "$run_dir/started"
    kill "$engine" 2>/dev/null || true
    tries=0
    while kill -0 "$engine" 2>/dev/null && [ "$tries" -lt 300 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
    say 'stopped'
}

case ${1-} in
    start) start ;;
    stop) stop ;;
    clean) clean ;;
    answers) answers ;;
    *) say 'usage: engine.sh start|stop|clean|answers'; exit 2 ;;
esac
