import { test } from "vitest";
import { history } from "../../torture/history/history.ts";
import { expectNoFindings, shortTimeoutMs } from "./short.ts";

test(history.promises, { timeout: shortTimeoutMs }, () => expectNoFindings(history));
