import { test } from "vitest";
import { durable } from "../../torture/durable/durable.ts";
import { expectNoFindings, shortTimeoutMs } from "./short.ts";

test(durable.promises, { timeout: shortTimeoutMs }, () => expectNoFindings(durable));
