package dev.trunkline.conf.load;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parses JSON into maps, lists, strings, numbers, booleans and nulls.
 *
 * <p>Not {@code JsonObject}: that keeps the last of two equal keys without a word, and a configuration must not lose
 * a setting.
 */
final class JsonText {

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    /** Where in the parser's buffers an enclosing object began: nothing that a reader of the file can use. */
    private static final Pattern LOCATION = Pattern.compile(" \\((?:for|start marker) .*", Pattern.DOTALL);

    private JsonText() {}

    /** The one value of a text, or null with the fault recorded (its place is the line). */
    static @Nullable Object parse(String text, Faults faults) {
        try (JsonParser parser = FACTORY.createParser(text)) {
            parser.nextToken();
            Object value = value(parser);
            if (parser.nextToken() != null) {
                faults.add(line(parser.currentTokenLocation().getLineNr()), "text after the end of the configuration");
            }
            return value;
        } catch (JsonProcessingException e) {
            faults.add(line(e.getLocation().getLineNr()), "not valid JSON: " + withoutLocation(e.getOriginalMessage()));
            return null;
        } catch (IOException e) {
            throw new UncheckedIOException("a string cannot fail to be read", e);
        }
    }

    private static String line(int number) {
        return "line " + number;
    }

    private static String withoutLocation(String message) {
        return LOCATION.matcher(message).replaceFirst("");
    }

    private static @Nullable Object value(JsonParser parser) throws IOException {
        JsonToken token = parser.currentToken();
        if (token == null) {
            throw new EmptyText(parser);
        }
        return switch (token) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> array(parser);
            case VALUE_NULL -> null;
            case VALUE_TRUE -> Boolean.TRUE;
            case VALUE_FALSE -> Boolean.FALSE;
            case VALUE_STRING -> parser.getText();
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getNumberValue();
            default -> throw new IllegalStateException("no value starts with " + token);
        };
    }

    private static Map<String, @Nullable Object> object(JsonParser parser) throws IOException {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String key = parser.currentName();
            parser.nextToken();
            object.put(key, value(parser));
        }
        return object;
    }

    private static List<@Nullable Object> array(JsonParser parser) throws IOException {
        List<@Nullable Object> array = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            array.add(value(parser));
        }
        return array;
    }

    private static final class EmptyText extends JsonParseException {
        EmptyText(JsonParser parser) {
            super(parser, "the file is empty");
        }
    }
}
