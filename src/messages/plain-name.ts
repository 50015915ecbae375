import { normalized } from "../kernel/normalized.ts";
import { replaceUnseen } from "../kernel/visible.ts";

/**
 * A name as it may stand in a message: letters, digits, spaces and the few signs that names have. A text with only these
 * is one line, and no phone makes a link of it, because nothing stands between two words but a space.
 */
export function plainName(name: string): string {
  return replaceUnseen(normalized(name, "NFC"), () => " ")
    .replaceAll(/[^\p{L}\p{M}\p{N}'’&+,()-]+/gu, " ")
    .trim();
}
