import { test } from "vitest";
import { overload } from "../../torture/overload/overload.ts";
import { expectNoFindings, shortTimeoutMs } from "./short.ts";

test(overload.promises, { timeout: shortTimeoutMs }, () => expectNoFindings(overload));
