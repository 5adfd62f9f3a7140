package dev.execserver.sandbox.intercept;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Removes from the environment of an escalated program what makes a trusted program run foreign code or read foreign
 * settings. The sandbox has written these variables, and the program runs outside of it. Immutable; any thread.
 */
public final class TrustedEnvironment {
    private static final Map<String, String> TABLE = table("""
            LD_* : the dynamic loader loads libraries that it names
            GLIBC_TUNABLES : changes the allocator and the loader of glibc
            GCONV_PATH : iconv(3) loads character set modules from there
            GETCONF_DIR : getconf runs programs from there
            HOSTALIASES : changes the hosts that a program connects to
            LOCALDOMAIN : changes the hosts that a program connects to
            RES_OPTIONS : changes how names of hosts are resolved
            NLSPATH : message catalogues are format strings
            LOCPATH : locales are loaded from there
            MALLOC_* : makes the allocator write files
            RESOLV_* : changes how names of hosts are resolved
            BASH_ENV : Bash runs this file first
            ENV : POSIX shells run this file first
            SHELLOPTS : switches Bash to tracing, which evaluates PS4
            BASHOPTS : changes how Bash reads scripts
            PS4 : is evaluated as a command while Bash traces
            BASH_FUNC_* : functions that replace commands in Bash
            BASH_LOADABLES_PATH : Bash loads built-in commands from there
            IFS : splits the words of shell scripts
            CDPATH : redirects cd of shell scripts
            GLOBIGNORE : changes what patterns of shell scripts match
            ZDOTDIR : zsh runs files from there first
            FPATH : shells load functions from there
            PYTHON* : Python runs modules and start-up files from there
            PERL5* : Perl loads modules and switches from there
            PERLLIB : Perl loads modules from there
            PERL_* : Perl loads modules and switches from there
            RUBY* : Ruby loads libraries and switches from there
            GEM_* : Ruby loads packages from there
            BUNDLE_* : Ruby loads packages from there
            LUA_* : Lua runs code or loads modules from there
            NODE_* : Node.js loads modules and switches from there
            NPM_CONFIG_* : npm runs scripts and programs that it names
            npm_config_* : npm runs scripts and programs that it names
            JAVA_TOOL_OPTIONS : a JVM loads agents that it names
            JDK_JAVA_OPTIONS : the java command loads agents that it names
            _JAVA_OPTIONS : a JVM loads agents that it names
            CLASSPATH : a JVM loads classes from there
            MAVEN_* : Maven gives its JVM these options
            GRADLE_* : Gradle gives its JVM these options
            DOTNET_* : .NET loads start-up hooks and profilers that it names
            CORECLR_* : .NET loads profilers that it names
            COR_* : .NET loads profilers that it names
            PHPRC : PHP reads its settings from there
            PHP_INI_SCAN_DIR : PHP reads its settings from there
            TCLLIBPATH : Tcl loads packages from there
            R_* : R runs profiles and loads libraries from there
            GUILE_* : Guile loads modules from there
            ERL_* : Erlang gives its emulator these options
            GOFLAGS : the go command runs programs that it names
            GOENV : the go command reads its settings from there
            GOTOOLDIR : the go command runs programs from there
            RUSTC* : cargo runs it as the compiler
            RUSTFLAGS : the compiler runs a linker that it names
            CARGO_* : cargo runs programs that it names
            CC : build tools run it
            CXX : build tools run it
            MAKEFLAGS : make reads files that it names
            MAKEFILES : make reads these files first
            GIT_* : git runs hooks, helpers, pagers and editors, and reads repositories, that it names
            SSH_ASKPASS : ssh and git run it
            SSH_ASKPASS_REQUIRE : makes ssh run the program of SSH_ASKPASS
            SUDO_ASKPASS : sudo runs it
            RSYNC_RSH : rsync runs it
            CVS_RSH : cvs runs it
            SVN_* : Subversion runs editors and connection programs that it names
            HGRCPATH : Mercurial runs hooks of these files
            HGEDITOR : Mercurial runs it
            PAGER : many programs run it
            MANPAGER : man runs it
            SYSTEMD_PAGER : systemd tools run it
            LESS : less writes files and runs commands by its options
            LESSOPEN : less runs it
            LESSCLOSE : less runs it
            LESSKEY* : less reads commands from there
            EDITOR : many programs run it
            VISUAL : many programs run it
            SUDO_EDITOR : sudo runs it
            BROWSER : many programs run it
            SHELL : many programs run it
            TERMINFO : descriptions of terminals are read from there
            TERMINFO_DIRS : descriptions of terminals are read from there
            TERMCAP : descriptions of terminals are read from there
            TERMPATH : descriptions of terminals are read from there
            OPENSSL_* : OpenSSL loads engines of the settings that it names
            SSL_CERT_* : a foreign authority would be trusted
            CURL_HOME : curl reads its settings from there
            CURL_CA_BUNDLE : a foreign authority would be trusted
            WGETRC : wget runs programs that it names
            WGETRC_* : wget runs programs that it names
            REQUESTS_CA_BUNDLE : a foreign authority would be trusted
            SSLKEYLOGFILE : keys of connections are written there
            KRB5_CONFIG : Kerberos loads modules that it names
            KRB5_* : Kerberos loads modules that it names
            DOCKER_* : docker speaks to the daemon and reads the settings that it names
            CONTAINER_* : podman speaks to the daemon that it names
            BUILDKIT_* : docker speaks to the builder that it names
            KUBECONFIG : kubectl runs programs of the settings that it names
            KUBE_* : kubectl runs editors and programs that it names
            AWS_CONFIG_FILE : aws runs credential programs of these settings
            CLOUDSDK_* : gcloud runs the Python that it names
            XDG_RUNTIME_DIR : many programs speak to sockets there
            XDG_CACHE_HOME : many programs load code that they have kept there
            XDG_CONFIG_* : many programs read settings from there
            XDG_DATA_* : many programs load plug-ins from there
            QT_* : Qt loads plug-ins from there
            GTK_* : GTK loads modules that it names
            GIO_* : GLib loads modules that it names
            GST_* : GStreamer loads plug-ins from there
            DBUS_* : a foreign bus would be spoken to
            ASAN_* : sanitizers write files and run programs that it names
            UBSAN_* : sanitizers write files and run programs that it names
            TSAN_* : sanitizers write files and run programs that it names
            MSAN_* : sanitizers write files and run programs that it names
            LSAN_* : sanitizers write files and run programs that it names
            """);

    /** Directories where only the administrator puts programs. */
    private static final List<String> SYSTEM =
            List.of("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin");

    private static final String PATH = "PATH";
    private static final String HOME = "HOME";

    private final Map<String, String> removed;
    private final Predicate<String> searched;
    private final Optional<String> home;

    private TrustedEnvironment(Map<String, String> removed, Predicate<String> searched, Optional<String> home) {
        this.removed = removed;
        this.searched = searched;
        this.home = home;
    }

    /**
     * Returns the table that is built in. Programs are searched in directories of the system only, because what is found there
     * runs outside too, and settings are read from the home directory of this server.
     */
    public static TrustedEnvironment standard() {
        return new TrustedEnvironment(TABLE, SYSTEM::contains, Optional.ofNullable(System.getenv(HOME)));
    }

    /** Returns a table with other directories that may stay in PATH: the sandbox must not be able to write them. */
    public TrustedEnvironment searching(Predicate<String> directories) {
        return new TrustedEnvironment(removed, directories, home);
    }

    /** Returns a table with another value for HOME; empty for none. */
    public TrustedEnvironment at(Optional<String> directory) {
        return new TrustedEnvironment(removed, searched, directory);
    }

    /**
     * Returns a table that removes more.
     *
     * @param names of variables; one that ends with an asterisk means all that begin like it
     * @param reason for people
     */
    public TrustedEnvironment without(List<String> names, String reason) {
        Map<String, String> all = new LinkedHashMap<>(removed);
        names.forEach(name -> all.putIfAbsent(name, reason));
        return new TrustedEnvironment(all, searched, home);
    }

    /** Returns why a variable is removed; empty if it is kept. */
    public Optional<String> reason(String name) {
        String exact = removed.get(name);
        if (exact != null) {
            return Optional.of(exact);
        }
        return removed.entrySet().stream()
                .filter(entry -> entry.getKey().endsWith("*"))
                .filter(entry -> name.startsWith(
                        entry.getKey().substring(0, entry.getKey().length() - 1)))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    /**
     * Returns the variables that a trusted program may see. A string that is not {@code NAME=value} is dropped, and of two
     * with the same name the first is kept, because programs differ in which one they read.
     */
    public List<byte[]> clean(List<byte[]> environment) {
        Map<String, byte[]> kept = new LinkedHashMap<>();
        for (byte[] variable : environment) {
            String text = new String(variable, StandardCharsets.ISO_8859_1);
            int equals = text.indexOf('=');
            // A function that Bash exports, which old versions did without the prefix, begins like this.
            boolean function = text.startsWith("() {", equals + 1);
            if (equals > 0 && !function && reason(text.substring(0, equals)).isEmpty()) {
                kept.putIfAbsent(text.substring(0, equals), variable);
            }
        }
        kept.computeIfPresent(PATH, (name, variable) -> path(variable));
        kept.remove(HOME);
        home.ifPresent(directory -> kept.put(HOME, (HOME + "=" + directory).getBytes(StandardCharsets.UTF_8)));
        return new ArrayList<>(kept.values());
    }

    private byte[] path(byte[] variable) {
        String given = new String(variable, StandardCharsets.UTF_8).substring(PATH.length() + 1);
        String kept = Arrays.stream(given.split(":"))
                .filter(directory -> directory.startsWith("/"))
                .filter(searched)
                .collect(Collectors.joining(":"));
        return (PATH + "=" + kept).getBytes(StandardCharsets.UTF_8);
    }

    private static Map<String, String> table(String text) {
        Map<String, String> table = new LinkedHashMap<>();
        text.lines().forEach(line -> {
            String[] parts = line.split(" : ", 2);
            table.put(parts[0].strip(), parts[1].strip());
        });
        return table;
    }
}
