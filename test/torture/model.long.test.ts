import { test } from "vitest";
import { model } from "../../torture/model/model.ts";
import { expectNoFindings, shortTimeoutMs } from "./short.ts";

test(model.promises, { timeout: shortTimeoutMs }, () => expectNoFindings(model));
