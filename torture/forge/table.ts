import { type Attack, tools } from "./attack.ts";
import { attacks } from "./attacks.ts";
import { fileAttacks } from "./file-attacks.ts";

/** The tables of docs/reliability.md: who notices which forgery. The campaign holds each cell. */
export function describeForgeries(): string {
  return [
    `| the database: what is forged | ${tools.map((tool) => `\`${tool}\``).join(" | ")} |`,
    `|---|${tools.map(() => "---|").join("")}`,
    ...attacks.map(
      (attack) => `| ${attack.name} | ${tools.map((tool) => cellOf(attack, tool)).join(" | ")} |`,
    ),
    "",
    "| a file that was exported: what is forged | `verify --key --seals` | `verify --seals` | `verify` |",
    "|---|---|---|---|",
    ...fileAttacks.map(
      ({ name, said }) =>
        `| ${name} | ${[said.key, said.seals, said.nothing].map((code) => (code === 1 ? "NOT VERIFIED" : "NOT AUTHENTICATED")).join(" | ")} |`,
    ),
  ].join("\n");
}

function cellOf({ noticed: { now, later } }: Attack, tool: (typeof tools)[number]): string {
  if (now.includes(tool)) return later.includes(tool) ? "notices" : "at once alone";
  return later.includes(tool) ? "a day later" : "–";
}
