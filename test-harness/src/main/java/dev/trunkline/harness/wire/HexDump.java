package dev.trunkline.harness.wire;

/** Shows bytes as people read them in a debugger: offset, sixteen bytes, printable characters. */
public final class HexDump {

    private static final int PER_LINE = 16;

    private HexDump() {}

    /** The dump, one line per sixteen bytes, of no more than the first bytes. */
    public static String of(byte[] bytes, int longest) {
        StringBuilder dump = new StringBuilder();
        int end = Math.min(bytes.length, longest);
        for (int offset = 0; offset < end; offset += PER_LINE) {
            line(dump, bytes, offset, Math.min(offset + PER_LINE, end));
        }
        if (bytes.length > longest) {
            dump.append("      … ").append(bytes.length - longest).append(" bytes more\n");
        }
        return dump.toString();
    }

    private static void line(StringBuilder dump, byte[] bytes, int from, int to) {
        dump.append(String.format("      %04x ", from));
        StringBuilder text = new StringBuilder();
        for (int index = from; index < from + PER_LINE; index++) {
            dump.append(index < to ? String.format(" %02x", bytes[index]) : "   ");
            if (index < to) {
                text.append(bytes[index] >= ' ' && bytes[index] < 127 ? (char) bytes[index] : '.');
            }
        }
        dump.append("  ").append(text).append('\n');
    }
}
