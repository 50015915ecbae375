import { stat } from "node:fs/promises";
import { join } from "node:path";
import { type Config, readConfig, settingNames } from "../../../config.ts";
import { InvalidConfiguration } from "../../../kernel/errors.ts";
import { nearestWord } from "../../../kernel/nearest-word.ts";
import { secretNames, secretPaths } from "../../../secret-settings.ts";
import { readSettings, readSettingsFile, type Settings } from "../../../settings-reader.ts";
import { type Check, ok, problem, warning } from "../../check.ts";

/** Names of variables that this program knows and that are no settings of it. */
const namesOfOthers = new Set(["CAURI_TOKEN", "CAURI_URL", "CAURI_SECRET_KEY", "CAURI_PROFILE"]);

/** Every value, and every name that is nearly one of ours. */
export function checkSettings(environment: Settings): {
  readonly config: Config | undefined;
  readonly checks: readonly Check[];
} {
  const names = checkNames(environment);
  try {
    const config = readConfig(environment);
    const settings = readSettings(environment);
    const given = settingNames().filter((name) => (settings[name]?.trim() ?? "") !== "");
    const kind = `${config.environment}, ${given.length} settings are given`;
    return { config, checks: [ok("settings", kind), ...names] };
  } catch (error) {
    if (!(error instanceof InvalidConfiguration)) throw error;
    const advice = "Correct them where the service gets its environment from.";
    return { config: undefined, checks: [problem("settings", error.message, advice), ...names] };
  }
}

/** Of the environment, whatever is nearly one of ours; of the file of settings, which has nothing else, whatever is none. */
function checkNames(environment: Settings): Check[] {
  const known = new Set(settingNames());
  const inFile = readSettingsFile(environment);
  const names = new Set([...Object.keys(environment), ...Object.keys(inFile)]);
  return [...names].flatMap((name) => {
    if (known.has(name) || namesOfOthers.has(name)) return [];
    const meant = nearestWord(name, known);
    if (meant === undefined && !(name in inFile)) return [];
    return [
      warning(
        "settings",
        `${name} is no setting of Cauri and is not read`,
        meant === undefined
          ? "Take it out of the file that SETTINGS_FILE names."
          : `If ${meant} is meant, write it so.`,
      ),
    ];
  });
}

/** Files that open something, in DATA_DIR. */
const secretFiles = ["master.key", "postgres.password", "demo.env"];

/** Whether anybody but their owner may read them, and those that settings name. */
export async function checkSecretFiles(
  { dataDir }: Pick<Config, "dataDir">,
  environment: Settings = {},
): Promise<Check> {
  const inFile = readSettingsFile(environment);
  const settings = { ...environment, ...inFile };
  // The file of settings opens something where a secret stands in it.
  const hasSecret = secretNames.some((name) => (inFile[name] ?? "") !== "");
  const paths = [
    ...secretFiles.map((name) => join(dataDir, name)),
    ...secretPaths(settings),
    ...(hasSecret ? [settings["SETTINGS_FILE"]?.trim() ?? ""] : []),
  ];
  const open: string[] = [];
  let found = 0;
  for (const path of paths) {
    const mode = await stat(path).then(
      (stats) => stats.mode & 0o777,
      () => undefined,
    );
    if (mode === undefined) continue;
    found += 1;
    if ((mode & 0o077) !== 0) open.push(`${path} (${mode.toString(8)})`);
  }
  return open.length > 0
    ? problem("secret files", `others may read ${open.join(", ")}`, "chmod 600 them.")
    : ok("secret files", found === 0 ? `none in ${dataDir}` : "only their owner may read them");
}
