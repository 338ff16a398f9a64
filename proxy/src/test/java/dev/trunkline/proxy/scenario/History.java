package dev.trunkline.proxy.scenario;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What clients were told of mappings, and whether there is one course of events that explains all of it: each write of a
 * key took place at one moment between its call and its return, and each answer is what held at one moment between its
 * own. Every key has one writer, who does one thing after the other; any number of clients ask. Safe for any thread.
 *
 * <p>For one writer this can be decided: an answer stands for one of the writes that began before it was given, but for
 * none that was replaced before it was asked for, nor for one older than what an earlier answer stands for. To take the
 * oldest write that fits, in order of the answers' ends, never rules out what another choice would allow.
 */
final class History {

    /** No row. */
    static final int ABSENT = -1;

    private record Event(long called, long returned, int value, String what) {}

    private static final class Key {
        private final List<Event> writes = new ArrayList<>();
        private final List<Event> answers = new ArrayList<>();
    }

    private final Map<String, Key> keys = new HashMap<>();

    private Key key(String name) {
        return keys.computeIfAbsent(name, fresh -> {
            Key key = new Key();
            key.writes.add(new Event(Long.MIN_VALUE, Long.MIN_VALUE, ABSENT, "nothing"));
            return key;
        });
    }

    /** A write that was confirmed: the key means this shard from then on. */
    synchronized void written(String key, int value, long called, long returned, String what) {
        key(key).writes.add(new Event(called, returned, value, what));
    }

    /** Where a statement went, or that it was told that there is no row. */
    synchronized void answered(String key, int value, long called, long returned, String what) {
        key(key).answers.add(new Event(called, returned, value, what));
    }

    /** How many answers are in it. */
    synchronized int answers() {
        return keys.values().stream().mapToInt(key -> key.answers.size()).sum();
    }

    /** The first answer that nothing explains; null if there is none. */
    synchronized @Nullable String contradiction() {
        for (Map.Entry<String, Key> entry : keys.entrySet()) {
            String found = contradiction(entry.getValue());
            if (found != null) {
                return "key " + entry.getKey() + ": " + found;
            }
        }
        return null;
    }

    private static @Nullable String contradiction(Key key) {
        List<Event> writes = key.writes;
        List<Event> answers = new ArrayList<>(key.answers);
        answers.sort(Comparator.comparingLong(Event::returned));
        List<Integer> stands = new ArrayList<>();
        for (Event answer : answers) {
            int oldest = 0;
            for (int i = 0; i < writes.size(); i++) {
                if (writes.get(i).returned < answer.called) {
                    oldest = i;
                }
            }
            for (int i = 0; i < stands.size(); i++) {
                if (answers.get(i).returned < answer.called) {
                    oldest = Math.max(oldest, stands.get(i));
                }
            }
            int fits = fitting(writes, answer, oldest);
            if (fits < 0) {
                return answer + " cannot follow " + Collections.unmodifiableList(writes.subList(oldest, writes.size()))
                        + " after " + answers.subList(Math.max(0, stands.size() - 3), stands.size());
            }
            stands.add(fits);
        }
        return null;
    }

    private static int fitting(List<Event> writes, Event answer, int oldest) {
        for (int i = oldest; i < writes.size() && writes.get(i).called < answer.returned; i++) {
            if (writes.get(i).value == answer.value) {
                return i;
            }
        }
        return -1;
    }
}
