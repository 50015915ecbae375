export interface Keys {
  close(): void;
}

/** Ctrl+C arrives as a key where keys are watched one by one. */
const interrupt = "\u0003";

/** What a key does, where somebody sits at a terminal; undefined where nobody does. */
export function watchKeys(
  actions: Readonly<Record<"q" | "r" | "s", () => void>>,
): Keys | undefined {
  const { stdin } = process;
  if (!stdin.isTTY) return undefined;
  const press = (text: string) => {
    for (const key of text) {
      if (key === interrupt) actions.q();
      else if (key === "q" || key === "r" || key === "s") actions[key]();
    }
  };
  stdin.setRawMode(true);
  stdin.setEncoding("utf8");
  stdin.on("data", press);
  stdin.resume();
  return {
    close() {
      stdin.off("data", press);
      stdin.setRawMode(false);
      stdin.pause();
    },
  };
}
