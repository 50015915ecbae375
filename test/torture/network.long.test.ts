import { test } from "vitest";
import { network } from "../../torture/network/network.ts";
import { expectNoFindings, shortTimeoutMs } from "./short.ts";

test(network.promises, { timeout: shortTimeoutMs }, () => expectNoFindings(network));
