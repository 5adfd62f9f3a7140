package dev.execserver.sandbox.bwrap;

import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.spawn.Launch;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * A usable bubblewrap.
 *
 * @param path canonical; a pinned program may differ from the file that is there now
 * @param launch the way to start it
 * @param origin place where it was found
 * @param version its own version text, for people only
 * @param features options beyond the required ones that its help text lists
 */
public record BwrapProgram(LinuxPath path, Launch launch, Origin origin, String version, Set<Feature> features) {
    /** Place where a program was found. */
    public enum Origin {
        /** Named by the operator. */
        OPTION,
        /** On the server's PATH. */
        SYSTEM,
        /** Beside the server, with a recorded digest. */
        BUNDLED
    }

    /** An option that only newer releases have. */
    public enum Feature {
        /** 0.9.0: the name that the command sees. */
        ARGV0,
        /** 0.7.0: the size of a memory file system. */
        SIZE,
        /** Mounts from open descriptors. */
        BIND_FD,
        RO_BIND_FD;

        String option() {
            return "--" + name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    public BwrapProgram {
        features = Set.copyOf(features);
    }

    public boolean has(Feature feature) {
        return features.contains(feature);
    }

    /** Returns the features that a help text lists. */
    static Set<Feature> featuresIn(String help) {
        Set<Feature> features = EnumSet.noneOf(Feature.class);
        for (Feature feature : Feature.values()) {
            if (lists(help, feature.option())) {
                features.add(feature);
            }
        }
        return features;
    }

    /** Returns true if the text has the option as a whole word: {@code --perms} is not found in {@code --permsx}. */
    static boolean lists(String help, String option) {
        for (int at = help.indexOf(option); at >= 0; at = help.indexOf(option, at + 1)) {
            int end = at + option.length();
            if (end == help.length() || Character.isWhitespace(help.charAt(end))) {
                return true;
            }
        }
        return false;
    }
}
