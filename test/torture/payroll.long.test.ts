import { test } from "vitest";
import { payroll } from "../../torture/payroll/payroll.ts";
import { expectNoFindings, shortTimeoutMs } from "./short.ts";

test(payroll.promises, { timeout: shortTimeoutMs }, () => expectNoFindings(payroll));
