package dev.trunkline.proxy.auth;

import java.util.Arrays;

/**
 * What SCRAM derives from a password, a salt and a number of iterations: enough to log in to a server that stores a
 * verifier with that salt, and of no use anywhere else.
 */
record ScramKeys(byte[] salt, int iterations, byte[] clientKey, byte[] serverKey) {

    boolean answer(byte[] otherSalt, int otherIterations) {
        return iterations == otherIterations && Arrays.equals(salt, otherSalt);
    }

    boolean isSame(ScramKeys other) {
        return answer(other.salt, other.iterations) && Arrays.equals(clientKey, other.clientKey);
    }

    /** Without the keys. */
    @Override
    public String toString() {
        return "ScramKeys[iterations=" + iterations + "]";
    }
}
