import { test } from "vitest";
import { clock } from "../../torture/clock/clock.ts";
import { expectNoFindings, shortTimeoutMs } from "./short.ts";

test(clock.promises, { timeout: shortTimeoutMs }, () => expectNoFindings(clock));
