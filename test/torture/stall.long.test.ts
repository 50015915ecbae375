import { test } from "vitest";
import { stall } from "../../torture/stall/stall.ts";
import { expectNoFindings, shortTimeoutMs } from "./short.ts";

test(stall.promises, { timeout: shortTimeoutMs }, () => expectNoFindings(stall));
