import { formatAmount } from "../../pages/format.ts";
import { Money as MoneyText } from "../../pages/money.tsx";
import type { FrameWords } from "../words/frame.ts";

export function Money({ words, francs }: { readonly words: FrameWords; readonly francs: number }) {
  return <MoneyText text={formatAmount(words, francs)} />;
}
