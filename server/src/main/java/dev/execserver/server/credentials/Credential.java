package dev.execserver.server.credentials;

import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * One credential that can be read again.
 *
 * @param option the option that names its file
 * @param files the files to look at
 * @param reload reads the files and replaces the credential; returns false if it is the same as before. Throws a {@code
 *     ConfigException} and changes nothing if the files cannot be used
 */
record Credential(String option, List<Path> files, BooleanSupplier reload) {}
