import { test } from "vitest";
import { abuse } from "../../torture/abuse/abuse.ts";
import { expectNoFindings, shortTimeoutMs } from "./short.ts";

test(abuse.promises, { timeout: shortTimeoutMs }, () => expectNoFindings(abuse));
