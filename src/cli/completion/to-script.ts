import type { Case, CommandTable } from "./command-table.ts";

export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

/** A program for the shell that completes what was begun. It has the whole table in it, so that pressing Tab starts nothing. */
export function toScript(shell: Shell, table: CommandTable): string {
  return scripts[shell](table);
}

const scripts: Readonly<Record<Shell, (table: CommandTable) => string>> = {
  // Of version 3.2 and later, which macOS has.
  bash: (table) => `# Completion of cauri for bash. In ~/.bashrc: eval "$(cauri completion bash)"
_cauri() {
  local -a typed=("\${COMP_WORDS[@]:1:COMP_CWORD-1}")
  local current=\${COMP_WORDS[COMP_CWORD]}
${findWords(table)}
  COMPREPLY=()
  # Without words, bash completes names of files.
  [[ -n $found ]] && COMPREPLY=($(compgen -W "$found" -- "$current"))
  return 0
}
complete -o default -F _cauri cauri`,

  zsh: (table) => `#compdef cauri
# Completion of cauri for zsh. In ~/.zshrc, after compinit: eval "$(cauri completion zsh)"
_cauri() {
  local -a typed
  (( CURRENT > 2 )) && typed=("\${(@)words[2,CURRENT-1]}")
  local current=\${words[CURRENT]}
${findWords(table)}
  if [[ -n $found ]]; then compadd -- \${=found}; else _files; fi
}
if [[ \${funcstack[1]-} == _cauri ]]; then _cauri "$@"; else compdef _cauri cauri; fi`,

  fish: (
    table,
  ) => `# Completion of cauri for fish. Into ~/.config/fish/completions/cauri.fish: cauri completion fish
function __cauri_words
    set -l typed (commandline -opc)
    set -e typed[1]
    set -l current (commandline -ct)
    set -l at ''
    set -l place 0
    set -l option ''
    for word in $typed
        if test -n "$option"
            set option ''
            continue
        end
        switch "$at $word"
            case ${fishPatterns(table.values)}
                set option $word
                continue
            case '* -*'
                continue
        end
        switch "$at/$word"
            case ${table.paths.map((path) => `'${path}'`).join(" ")}
                set at "$at/$word"
                set place 0
            case '*'
                set place (math $place + 1)
        end
    end
    if test -n "$option"
        switch "$at $option"
${fishCases(table.values)}
        end
    else if string match -q -- '-*' "$current"
        switch "$at"
${fishCases(table.options)}
        end
    else
        switch "$at $place"
${fishCases(table.words)}
        end
    end
    # Without words of its own, names of files.
    __fish_complete_path "$current"
end
complete -c cauri -f -a '(__cauri_words)'`,
};

/** For bash and zsh: from what was \`typed\` before and the \`current\` word to the words that can be meant, \`found\`. */
function findWords({ paths, values, options, words }: CommandTable): string {
  return `  local at= place=0 option= found= word
  for word in "\${typed[@]}"; do
    if [[ -n $option ]]; then option=; continue; fi
    case "$at $word" in
      ${patterns(values.map(({ after }) => after))}) option=$word; continue ;;
      *' -'*) continue ;;
    esac
    case "$at/$word" in
      ${patterns(paths)}) at=$at/$word; place=0 ;;
      *) place=$((place + 1)) ;;
    esac
  done
  if [[ -n $option ]]; then
    case "$at $option" in
${cases(values)}
    esac
  elif [[ $current == -* ]]; then
    case "$at" in
${cases(options)}
    esac
  else
    case "$at $place" in
${cases(words)}
    esac
  fi`;
}

function patterns(list: readonly string[]): string {
  return list.map((text) => `'${text}'`).join(" | ");
}

function cases(list: readonly Case[]): string {
  return withWords(list)
    .map(({ after, words }) => `      '${after}') found='${words.join(" ")}' ;;`)
    .join("\n");
}

function fishPatterns(list: readonly Case[]): string {
  return list.map(({ after }) => `'${after}'`).join(" ");
}

function fishCases(list: readonly Case[]): string {
  return withWords(list)
    .map(({ after, words }) =>
      [
        `            case '${after}'`,
        `                printf '%s\\n' ${words.map((word) => `'${word}'`).join(" ")}`,
        "                return",
      ].join("\n"),
    )
    .join("\n");
}

function withWords(list: readonly Case[]): readonly Case[] {
  return list.filter(({ words }) => words.length > 0);
}
