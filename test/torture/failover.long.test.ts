import { test } from "vitest";
import { failover } from "../../torture/failover/failover.ts";
import { expectNoFindings, shortTimeoutMs } from "./short.ts";

test(failover.promises, { timeout: shortTimeoutMs }, () => expectNoFindings(failover));
