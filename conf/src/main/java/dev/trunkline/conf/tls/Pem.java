package dev.trunkline.conf.tls;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The blocks of a PEM file in their order; what stands between them is a comment.
 *
 * @param label what the block says that it holds, for instance {@code CERTIFICATE}
 * @param content the bytes, decoded
 * @see <a href="https://www.rfc-editor.org/rfc/rfc7468">RFC 7468</a>
 */
record Pem(String label, byte[] content) {

    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END \\1-----", Pattern.DOTALL);

    static List<Pem> read(Path file) throws PemException {
        List<Pem> blocks = new ArrayList<>();
        Matcher matcher = BLOCK.matcher(text(file));
        while (matcher.find()) {
            blocks.add(new Pem(matcher.group(1), content(file, matcher.group(1), matcher.group(2))));
        }
        return blocks;
    }

    private static String text(Path file) throws PemException {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            String reason = Files.exists(file) ? "the file cannot be read" : "there is no such file";
            throw new PemException("\"" + file + "\": " + reason, e);
        }
    }

    private static byte[] content(Path file, String label, String base64) throws PemException {
        if (base64.contains("Proc-Type:")) {
            throw new PemException("\"" + file + "\" is encrypted, which is not supported");
        }
        try {
            return Base64.getMimeDecoder().decode(base64.strip());
        } catch (IllegalArgumentException e) {
            throw new PemException("\"" + file + "\" has a block \"" + label + "\" that is not Base64", e);
        }
    }
}
