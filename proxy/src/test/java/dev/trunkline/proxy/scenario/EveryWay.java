package dev.trunkline.proxy.scenario;

import dev.trunkline.conf.LookupMiss;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;

/** Runs a test once for each {@link Way}, its parameter. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedTest
@ArgumentsSource(EveryWay.Ways.class)
@interface EveryWay {

    /** Every protocol through each of the two proxies. */
    final class Ways implements ArgumentsProvider {
        @Override
        public Stream<? extends Arguments> provideArguments(ExtensionContext context) {
            return Arrays.stream(LookupMiss.values())
                    .flatMap(miss ->
                            Arrays.stream(Protocol.values()).map(protocol -> Arguments.of(new Way(protocol, miss))));
        }
    }
}
