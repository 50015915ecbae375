import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Shell, shells } from "../../src/cli/completion/to-script.ts";
import { topics } from "../../src/webhooks/event.ts";
import { Desk } from "../command.ts";
import { whyToolMissing } from "../debian-tools.ts";

/** How each shell is asked what it would offer for a line. */
const askers: Readonly<Record<Shell, (script: string) => string>> = {
  bash: (script) => `source '${script}'
    complete -p cauri >&2
    COMP_WORDS=(cauri "$@"); COMP_CWORD=$#
    _cauri && printf '%s\\n' "\${COMPREPLY[@]}"`,
  // A completion only runs inside the line editor: what it calls there is played here.
  zsh: (script) => `compdef() { }; compadd() { shift; print -l -- "$@" }; _files() { }
    source '${script}'
    words=(cauri "$@"); CURRENT=$(($# + 1))
    _cauri | while read -r word; do [[ $word == "\${words[CURRENT]}"* ]] && print -r -- $word; done
    true`,
  fish: (script) => `source '${script}'; complete -C "cauri $argv"`,
};

const options: Readonly<Record<Shell, readonly string[]>> = {
  bash: ["--norc", "-c"],
  zsh: ["-f", "-c"],
  fish: ["--no-config", "-c"],
};

describe.for([...shells])("%s completes", (shell) => {
  test("commands, options, and what an option or an argument can be", async ({ skip }) => {
    const tool = { command: shell, probe: ["-c", "exit 0"], packages: [shell] };
    const missing = whyToolMissing(tool);
    if (missing !== undefined) skip(missing);
    const desk = await Desk.make();
    const script = join(desk.home, `cauri.${shell}`);
    const { code, stdout } = await desk.run(["completion", shell]);
    expect(code).toBe(0);
    await writeFile(script, stdout);
    const offered = (...typed: readonly string[]) => {
      // What is typed is an argument of its own for fish as well, where it is one line.
      const args = shell === "fish" ? ["--", typed.join(" ")] : ["cauri", ...typed];
      const words = [...options[shell], askers[shell](script), ...args];
      const text = execFileSync(shell, words, { cwd: desk.home, encoding: "utf8", stdio: "pipe" });
      return text
        .split("\n")
        .flatMap((line) => line.split("\t")[0] || [])
        .toSorted();
    };

    expect(offered("")).toEqual(expect.arrayContaining(["balance", "company", "serve", "verify"]));
    expect(offered("transfer")).toEqual(["transfer", "transfers"]);
    expect(offered("transfers", "")).toEqual(["get", "list", "send"]);
    expect(offered("webhooks", "de")).toEqual(["delete", "deliveries"]);
    expect(offered("transfers", "send", "--re")).toEqual(["--reference"]);
    expect(offered("balance", "--")).toEqual(["--help", "--json", "--profile", "--url"]);
    expect(offered("--v")).toEqual(["--version"]);
    // After an option that takes a value, its values; the value itself is no command.
    expect(offered("trigger", "--status", "refunded")).toEqual(["refunded", "refunded_partially"]);
    expect(offered("charges", "--json", "list", "--status", "p")).toEqual(["paid"]);
    expect(offered("get", "--profile", "transfers", "-")).toContain("--query");
    expect(offered("trigger", "")).toEqual(topics.toSorted());
    expect(offered("completion", "f")).toEqual(["fish"]);
    // Where any word will do, names of files are.
    expect(offered("webhooks", "create", "charge/events", "")).not.toContain("charge/events");
    expect(offered("nonsense", "")).not.toContain("transfers");
  });
});

test("a shell that is not known is refused, and as JSON the script is a field", async () => {
  const desk = await Desk.make();
  const refused = await desk.run(["completion", "tcsh"]);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("bash, zsh, fish")]);
  const { value } = await desk.json(["completion", "bash"]);
  expect(value.script).toContain("complete -o default -F _cauri cauri");
});
