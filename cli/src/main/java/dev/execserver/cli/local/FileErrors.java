package dev.execserver.cli.local;

import dev.execserver.sandbox.linux.Errno;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Optional;

/** Makes texts for files that cannot be read, in the form {@code strerror (os error N)} of all messages. */
public final class FileErrors {
    private FileErrors() {}

    /** Adds the error number. The JDK keeps the texts of strerror(3), but not the numbers. */
    private static String withNumber(String text) {
        return Errno.ofText(text).isPresent() ? Errno.text(Errno.ofText(text).getAsInt()) : text;
    }

    public static String text(IOException e) {
        return switch (e) {
            case NoSuchFileException _ -> "No such file or directory (os error 2)";
            case AccessDeniedException _ -> "Permission denied (os error 13)";
            case FileAlreadyExistsException _ -> "File exists (os error 17)";
            case NotDirectoryException _ -> "Not a directory (os error 20)";
            case FileSystemLoopException _ -> "Too many levels of symbolic links (os error 40)";
            // The JDK keeps the text of strerror(3) as the reason, but not the number.
            case FileSystemException withReason
            when withReason.getReason() != null -> withNumber(withReason.getReason());
            default ->
                Optional.ofNullable(e.getMessage())
                        .map(FileErrors::withNumber)
                        .orElse(e.getClass().getSimpleName());
        };
    }
}
