package dev.execserver.sandbox.resolve;

/**
 * Which file was seen, so that whoever mounts it later can tell whether it is still the same.
 *
 * @param device major number in the upper, minor number in the lower 32 bits
 * @param inode unique within the device while the file exists
 */
public record FileId(long device, long inode) {}
