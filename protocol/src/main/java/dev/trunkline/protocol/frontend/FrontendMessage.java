package dev.trunkline.protocol.frontend;

import dev.trunkline.protocol.FrameWriter;

/** A message from the client. Each record has a static {@code decode(byte[] buffer, int offset, int length)} of the body. */
public sealed interface FrontendMessage
        permits InitialMessage,
                Query,
                Parse,
                Bind,
                Describe,
                Execute,
                Close,
                Flush,
                Sync,
                FunctionCall,
                CopyData,
                CopyDone,
                CopyFail,
                PasswordMessage,
                SASLInitialResponse,
                SASLResponse,
                Terminate {

    /** Appends the whole frame. */
    void encode(FrameWriter out);
}
