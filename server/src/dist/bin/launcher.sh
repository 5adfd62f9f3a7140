# Sourced by the launchers, the one of the repository and the one of the distribution: what both do.

say() { printf 'exec-server: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

# A standard stream that is closed would become the first file that the JVM opens for itself, and the server would take
# that for its input. Closed input has ended, closed output goes nowhere. Only /proc tells which are closed, see proc(5).
open_streams() {
    [ -e /proc/self ] || die '/proc is not mounted here, and the server and its Java need it; run "mount -t proc proc /proc" first.'
    [ -e /proc/self/fd/0 ] || exec </dev/null
    [ -e /proc/self/fd/1 ] || exec >/dev/null
    [ -e /proc/self/fd/2 ] || exec 2>/dev/null
}

# The version that the file "release" tells, without starting a JVM; nothing when HOME is no Java.
java_version() {
    [ -x "$1/bin/java" ] && [ -f "$1/release" ] || return 0
    while IFS= read -r line || [ -n "$line" ]; do
        case $line in
            JAVA_VERSION=*)
                line=${line#JAVA_VERSION=\"}
                printf '%s\n' "${line%\"*}"
                return ;;
        esac
    done <"$1/release"
}

# Whether HOME is a Java 25 and has these programs: a build needs a javac, a server does not.
is_java_25() {
    case $(java_version "$1") in
        25 | 25[.+-]*) ;;
        *) return 1 ;;
    esac
    home=$1
    shift
    for program in "$@"; do
        [ -x "$home/bin/$program" ] || return 1
    done
}

# Prints the home of the java on the PATH.
java_on_path() {
    path_java=$(command -v java) && path_java=$(readlink -f -- "$path_java") && printf '%s\n' "${path_java%/bin/java}"
}

# find_java PROGRAM...: prints the home of a Java 25 with these programs, or fails.
# Order: JAVA_HOME, the java on the PATH, the JVM folders of the distributions, SDKMAN.
find_java() {
    if [ -n "${JAVA_HOME-}" ] && is_java_25 "$JAVA_HOME" "$@"; then
        printf '%s\n' "$JAVA_HOME"
        return
    fi
    if on_path=$(java_on_path) && is_java_25 "$on_path" "$@"; then
        printf '%s\n' "$on_path"
        return
    fi
    for candidate in /usr/lib/jvm/* /opt/java/* /opt/jdk* /usr/java/* "${SDKMAN_DIR:-${HOME-}/.sdkman}"/candidates/java/*; do
        if is_java_25 "$candidate" "$@"; then
            printf '%s\n' "$candidate"
            return
        fi
    done
    return 1
}

# Says what find_java has not found, and ends.
die_without_java() {
    for candidate in "${JAVA_HOME-}" "$(java_on_path || true)" /usr/lib/jvm/*; do
        other=$(java_version "$candidate")
        case $other in
            '') ;;
            25*) die "a JDK 25 is needed, and $candidate is only a Java runtime; install one (for example Temurin 25) and set JAVA_HOME to its folder." ;;
            *) die "a JDK 25 is needed, and $candidate is version $other; install one (for example Temurin 25) and set JAVA_HOME to its folder." ;;
        esac
    done
    die "a JDK 25 is needed and was not found; install one (for example Temurin 25) and set JAVA_HOME to its folder."
}

# cache_fits JAVA_HOME DIST: whether the AOT cache was made by this very build of the JDK; another one cannot use it.
cache_fits() {
    [ -f "$2/exec-server.aot" ] && [ -f "$2/jdk-release" ] && [ "$(cat "$1/release")" = "$(cat "$2/jdk-release")" ]
}

# The signals of a command in a sandbox are the command's: they are blocked in the JVM, which reads them from a descriptor
# (signalfd(2)) instead of acting on them (-Xrs), and passes them on. Needs the env of GNU coreutils 8.31.
passed_signals=HUP,INT,QUIT,USR1,TERM,TSTP,WINCH

# The JVM takes the encoding of file names from the locale, and opens no file whose name is not ASCII in an ASCII one (LC_ALL=C).
# The program gives its commands the variable as it was, see Utf8Restart.
name_files_in_utf8() {
    case $1 in
        *[!\ -~]*) [ "$(locale charmap 2>/dev/null)" != UTF-8 ] || return 0 ;;
        *) return 0 ;;
    esac
    export EXEC_SERVER_LC_ALL_BEFORE="${LC_ALL+=$LC_ALL}" LC_ALL=C.UTF-8
}

# start_server JAVA_HOME DIST ARGUMENT...: becomes the server; the pid stays, and all arguments reach it untouched.
start_server() {
    java_home=$1
    dist=$2
    shift 2
    command=${1-}
    name_files_in_utf8 "$java_home$dist"
    # A JVM says this with a stack trace.
    [ -d "${PWD-}" ] || die "the current directory does not exist any more; change to one that does."
    set -- -jar "$dist/exec-server.jar" "$@"
    # The options of the user stand after ours, so they win. Split at blanks, but no pattern is expanded.
    set -f
    # shellcheck disable=SC2086
    set -- ${EXEC_SERVER_JAVA_OPTS-} "$@"
    if cache_fits "$java_home" "$dist"; then
        cache=$dist/exec-server.aot
        case $command in
            # A client needs a third of the classes of a server, and has a cache without the others.
            run | ps | logs | wait | kill | attach | cp) [ ! -f "$dist/client.aot" ] || cache=$dist/client.aot ;;
        esac
        set -- -XX:AOTCache="$cache" "$@"
    fi
    if [ "$command" = sandbox ] && env --block-signal=HUP true 2>/dev/null; then
        exec env --block-signal="$passed_signals" "$java_home/bin/java" -Xrs @"$dist/exec-server.vmoptions" "$@"
    fi
    # A wrapper becomes another program, or ends by a signal as that would: no handlers, and the limits stay as they were.
    [ "$command" != execve-wrapper ] || set -- -Xrs -XX:-MaxFDLimit "$@"
    exec "$java_home/bin/java" @"$dist/exec-server.vmoptions" "$@"
}
