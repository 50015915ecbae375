import { secretBox } from "../src/kernel/secret-box.ts";

/** One master key for every process of a run: what the bench seals, the server under test opens. */
export const benchBox = secretBox(Buffer.alloc(32, 7));
