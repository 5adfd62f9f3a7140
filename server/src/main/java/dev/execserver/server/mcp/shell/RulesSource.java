package dev.execserver.server.mcp.shell;

import dev.execserver.cli.local.ConfigException;
import dev.execserver.protocol.process.ExecPolicyParams.RulesText;
import dev.execserver.server.rules.RuleFileException;
import dev.execserver.server.rules.RuleFiles;
import dev.execserver.server.sandbox.FloorFileCheck;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rules files of this user for the programs of his commands. A file that has changed is read again at the next call; if one
 * cannot be used then, the last good set stays. No sandboxed command may change them: see {@code SandboxSettings}.
 *
 * <p>Touches files: file workers call {@link #current}. The fields are volatile; two threads that see a change both read.
 */
final class RulesSource {
    private static final String OPTION = "--rules";
    private static final Logger LOG = LoggerFactory.getLogger(RulesSource.class);

    private final List<Path> places;
    private volatile Loaded loaded;

    /** Identity of a file's content. */
    private record Stamp(Path file, Object key, long modifiedNs, long size) {}

    private record Loaded(List<Stamp> stamps, List<RulesText> texts) {}

    /**
     * Reads the files.
     *
     * @param places files, or folders of {@code *.rules} files
     * @throws ConfigException when one of them cannot be used
     */
    RulesSource(List<Path> places) {
        this.places = List.copyOf(places);
        try {
            this.loaded = load(stamps());
        } catch (RuleFileException e) {
            throw ConfigException.failure(OPTION + ": " + e.describe());
        } catch (UncheckedIOException e) {
            throw ConfigException.failure(OPTION + ": " + e.getMessage());
        }
    }

    /** Returns the rules as they are now. */
    List<RulesText> current() {
        if (places.isEmpty()) {
            return List.of();
        }
        Loaded last = loaded;
        List<Stamp> now = List.of();
        try {
            now = stamps();
            if (!now.equals(last.stamps())) {
                loaded = load(now);
                LOG.info("rules were read again: {} files", now.size());
            }
        } catch (RuleFileException | UncheckedIOException | ConfigException e) {
            LOG.warn("changed rules cannot be used, the last good ones stay: {}", e.getMessage());
            loaded = new Loaded(now, last.texts()); // complain once for each change
        }
        return loaded.texts();
    }

    /** Returns true if a rule with this origin, {@code FILE:LINE}, is from these files. */
    boolean owns(String origin) {
        return loaded.texts().stream().anyMatch(text -> origin.startsWith(text.name() + ":"));
    }

    private static Loaded load(List<Stamp> stamps) {
        RuleFiles checked = new RuleFiles();
        List<RulesText> texts = new ArrayList<>();
        for (Stamp stamp : stamps) {
            FloorFileCheck.requireUnchangeable(OPTION, stamp.file());
            RulesText text = new RulesText(stamp.file().toString(), RuleFiles.read(stamp.file()));
            checked.add(text.name(), text.text());
            texts.add(text);
        }
        return new Loaded(stamps, List.copyOf(texts));
    }

    private List<Stamp> stamps() {
        List<Stamp> stamps = new ArrayList<>();
        for (Path place : places) {
            for (Path file : RuleFiles.inFolder(place)) {
                stamps.add(stamp(file));
            }
        }
        return List.copyOf(stamps);
    }

    private static Stamp stamp(Path file) {
        try {
            var attributes = Files.readAttributes(file, BasicFileAttributes.class, new LinkOption[0]);
            return new Stamp(
                    file,
                    String.valueOf(attributes.fileKey()),
                    attributes.lastModifiedTime().toInstant().getNano()
                            + attributes.lastModifiedTime().toMillis() * 1_000_000L,
                    attributes.size());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }
}
