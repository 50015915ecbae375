import { addressBreakages } from "./break-address.ts";
import { fieldBreakages } from "./break-fields.ts";
import { framingBreakages } from "./break-framing.ts";
import { headerBreakages } from "./break-headers.ts";
import { jsonBreakages } from "./break-json.ts";
import { consoleBreakages } from "./console.ts";
import type { Breakage } from "./draft.ts";
import { pageBreakages } from "./pages.ts";

/** Every way to break a request that this campaign knows. */
export const breakages: readonly Breakage[] = [
  ...fieldBreakages,
  ...jsonBreakages,
  ...addressBreakages,
  ...headerBreakages,
  ...framingBreakages,
  ...pageBreakages,
  ...consoleBreakages,
];
