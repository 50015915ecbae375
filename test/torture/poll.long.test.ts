import { test } from "vitest";
import { poll } from "../../torture/poll/poll.ts";
import { expectNoFindings, shortTimeoutMs } from "./short.ts";

test(poll.promises, { timeout: shortTimeoutMs }, () => expectNoFindings(poll));
