import { test } from "vitest";
import { disk } from "../../torture/disk/disk.ts";
import { expectNoFindings, shortTimeoutMs } from "./short.ts";

test(disk.promises, { timeout: shortTimeoutMs }, () => expectNoFindings(disk));
