import { test } from "vitest";
import { crash } from "../../torture/crash/crash.ts";
import { expectNoFindings, shortTimeoutMs } from "./short.ts";

test(crash.promises, { timeout: shortTimeoutMs }, () => expectNoFindings(crash));
