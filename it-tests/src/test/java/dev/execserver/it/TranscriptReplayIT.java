package dev.execserver.it;

import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.TranscriptReplay;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Recorded conversations against our server, see {@link TranscriptReplay}, in both dialects. */
@Timeout(60)
class TranscriptReplayIT {
    @Nested
    class Open {
        @RegisterExtension
        static final SharedServer SERVER = SharedServer.with();

        @ParameterizedTest
        @FieldSource("dev.execserver.it.support.TranscriptReplay#TRANSCRIPTS")
        void theConversationRepeats(String name) {
            new TranscriptReplay(name, SERVER.silentClient(), true).run();
        }
    }

    @Nested
    class Strict {
        @RegisterExtension
        static final SharedServer SERVER = SharedServer.with("--protocol", "strict");

        @ParameterizedTest
        @FieldSource("dev.execserver.it.support.TranscriptReplay#TRANSCRIPTS")
        void theConversationRepeatsWithoutAnyFurtherMember(String name) {
            new TranscriptReplay(name, SERVER.silentClient(), false).run();
        }
    }
}
