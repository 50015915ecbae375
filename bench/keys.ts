import { secretBox } from "../src/kernel/secret-box.ts";

const key = Buffer.alloc(32, 7);

/** One master key for every process of a run: what the bench seals, the server under test opens. */
export const benchBox = secretBox(key);

/** The same, as the program takes it from its environment. */
export const benchMasterKey = key.toString("base64");
