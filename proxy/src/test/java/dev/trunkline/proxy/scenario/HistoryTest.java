package dev.trunkline.proxy.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What {@link History} takes for possible, and what not. */
class HistoryTest {

    private final History history = new History();

    private HistoryTest write(int value, long called, long returned) {
        history.written("k", value, called, returned, "write");
        return this;
    }

    private HistoryTest answer(int value, long called, long returned) {
        history.answered("k", value, called, returned, "answer");
        return this;
    }

    private void isPossible() {
        assertThat(history.contradiction()).isNull();
    }

    private void isNot() {
        assertThat(history.contradiction()).isNotNull();
    }

    @Test
    void anAnswerDuringAWriteMayBeOldOrNew() {
        write(1, 10, 20).write(2, 30, 40).answer(1, 31, 35).answer(2, 31, 39);
        isPossible();
    }

    @Test
    void anAnswerAfterAWriteIsNew() {
        write(1, 10, 20).write(2, 30, 40).answer(1, 41, 42);
        isNot();
    }

    @Test
    void aRowThatWasWrittenIsNotMissed() {
        write(1, 10, 20).answer(History.ABSENT, 21, 22);
        isNot();
    }

    @Test
    void nothingIsKnownBeforeItIsWritten() {
        answer(1, 1, 2).write(1, 10, 20);
        isNot();
    }

    @Test
    void nobodyGoesBackInTime() {
        write(1, 10, 20).write(2, 30, 40).answer(2, 31, 33).answer(1, 34, 38);
        isNot();
    }

    @Test
    void aValueThatComesBackIsTakenForItsLaterWrite() {
        write(1, 10, 20).write(2, 30, 40).write(1, 50, 60).answer(2, 41, 42).answer(1, 51, 55);
        isPossible();
        answer(2, 56, 58);
        isNot();
    }

    @Test
    void answersAtTheSameTimeMayDiffer() {
        write(1, 10, 20).write(2, 30, 40).answer(2, 31, 38).answer(1, 32, 39);
        isPossible();
    }
}
