import { test } from "vitest";
import { replay } from "../../torture/replay/replay.ts";
import { expectNoFindings, shortTimeoutMs } from "./short.ts";

test(replay.promises, { timeout: shortTimeoutMs }, () => expectNoFindings(replay));
