import { test } from "vitest";
import { accounts } from "../../torture/accounts/accounts.ts";
import { expectNoFindings, shortTimeoutMs } from "./short.ts";

test(accounts.promises, { timeout: shortTimeoutMs }, () => expectNoFindings(accounts));
