package dev.execserver.sandbox.paths;

/**
 * Identity of a file. The code that mounts the file later compares it, to detect that the file was replaced.
 *
 * @param device major number in the upper, minor number in the lower 32 bits
 * @param inode unique within the device while the file exists
 */
public record FileId(long device, long inode) {}
