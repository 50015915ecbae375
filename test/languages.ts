import { type Tool, whyToolMissing } from "./debian-tools.ts";

/** What the clients of other languages are run with. */
const languages = {
  php: {
    command: "php",
    probe: ["-r", "exit(PHP_VERSION_ID >= 80100 && function_exists('curl_init') ? 0 : 1);"],
    packages: ["php-cli", "php-curl"],
  },
  python: {
    command: "python3",
    probe: ["-c", "import sys, ssl; sys.exit(sys.version_info < (3, 9))"],
    packages: ["python3"],
  },
} as const satisfies Record<string, Tool>;
export type Language = keyof typeof languages;
export const languageNames = Object.keys(languages) as Language[];

export function whyMissing(name: Language): string | undefined {
  return whyToolMissing(languages[name]);
}

export function commandOf(name: Language): string {
  return languages[name].command;
}
