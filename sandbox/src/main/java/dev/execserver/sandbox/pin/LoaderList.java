package dev.execserver.sandbox.pin;

import dev.execserver.sandbox.paths.LinuxPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The libraries of a program as its loader lists them ({@code --list} of ld.so(8)), in the search order. The loader itself is
 * left out. Pure.
 *
 * @param libraries files that were found
 */
record LoaderList(List<LinuxPath> libraries) {
    /** {@code libc.so.6 => /lib/libc.so.6 (0x7f...)}, or the file alone. */
    private static final Pattern LINE = Pattern.compile("\\s*(?:\\S+ => )?(\\S.*) \\(0x[0-9a-f]+\\)");

    LoaderList {
        libraries = List.copyOf(libraries);
    }

    /**
     * Parses the output of the loader; empty if a library was not found.
     *
     * @param loaders names of the loader, to leave out of the list: the one in the program and the one that was run
     */
    static Optional<LoaderList> of(String output, Set<String> loaders) {
        List<LinuxPath> libraries = new ArrayList<>();
        for (String line : output.split("\n")) {
            Matcher found = LINE.matcher(line);
            if (!found.matches()) {
                if (line.contains("not found")) {
                    return Optional.empty();
                }
                continue;
            }
            // The library of the kernel (vdso) has a name and no path.
            String file = found.group(1);
            if (file.startsWith("/") && !loaders.contains(file)) {
                libraries.add(LinuxPath.of(file));
            }
        }
        return Optional.of(new LoaderList(libraries));
    }
}
