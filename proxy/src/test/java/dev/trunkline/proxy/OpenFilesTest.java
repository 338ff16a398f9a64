package dev.trunkline.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OpenFilesTest {

    @Test
    void letsAsManyClientsInAsAreWantedWhereFilesAreLeftForThem() {
        assertThat(OpenFiles.clientLimit(10_000, 1_048_576, 20)).isEqualTo(10_000);
    }

    @Test
    void leavesFilesToConnectionsToServersAndToOthers() {
        assertThat(OpenFiles.clientLimit(10_000, 1_000, 300)).isEqualTo(1_000 - 300 - 64 - 100);
    }

    @Test
    void letsOneClientInWhateverTheSystemAllows() {
        assertThat(OpenFiles.clientLimit(10_000, 100, 300)).isEqualTo(1);
    }
}
