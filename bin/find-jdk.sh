# Sourced by the scripts of this folder. find_jdk prints the home of a JDK 25, or fails.
# Order: JAVA_HOME, the java on the PATH, the JVM folders of the distributions, SDKMAN.

jdk_remedy='a JDK 25 is needed and was not found; install one (for example Temurin 25) and set JAVA_HOME to its folder.'

# A JDK, not a JRE: javac must be there. The file "release" tells the version without starting a JVM.
is_jdk_25() {
    [ -x "$1/bin/java" ] && [ -x "$1/bin/javac" ] && [ -f "$1/release" ] &&
        grep -Eq '^JAVA_VERSION="25([.+-].*)?"' "$1/release"
}

find_jdk() {
    if [ -n "${JAVA_HOME-}" ] && is_jdk_25 "$JAVA_HOME"; then
        printf '%s\n' "$JAVA_HOME"
        return
    fi
    if path_java=$(command -v java) && path_java=$(readlink -f "$path_java") && is_jdk_25 "${path_java%/bin/java}"; then
        printf '%s\n' "${path_java%/bin/java}"
        return
    fi
    for home in /usr/lib/jvm/* /opt/java/* /opt/jdk* /usr/java/* "${SDKMAN_DIR:-${HOME-}/.sdkman}"/candidates/java/*; do
        if is_jdk_25 "$home"; then
            printf '%s\n' "$home"
            return
        fi
    done
    return 1
}
