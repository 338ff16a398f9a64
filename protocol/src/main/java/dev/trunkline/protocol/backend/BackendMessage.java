package dev.trunkline.protocol.backend;

import dev.trunkline.protocol.FrameWriter;

/** A message from the server. Each record has a static {@code decode(byte[] buffer, int offset, int length)} of the body. */
public sealed interface BackendMessage
        permits Authentication,
                BackendKeyData,
                BindComplete,
                CloseComplete,
                CommandComplete,
                CopyBothResponse,
                CopyInResponse,
                CopyOutResponse,
                DataRow,
                EmptyQueryResponse,
                ErrorResponse,
                NegotiateProtocolVersion,
                NoData,
                NoticeResponse,
                NotificationResponse,
                ParameterDescription,
                ParameterStatus,
                ParseComplete,
                PortalSuspended,
                ReadyForQuery,
                RowDescription {

    /** Appends the whole frame. */
    void encode(FrameWriter out);
}
