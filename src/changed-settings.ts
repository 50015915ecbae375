import { isDeepStrictEqual } from "node:util";
import { type Config, readConfig, settingNames } from "./config.ts";
import { InvalidConfiguration } from "./kernel/errors.ts";
import { secretNames } from "./secret-settings.ts";
import { readSettings, type Settings } from "./settings-reader.ts";

/** Stands for the value of a secret. */
export const hidden = "[hidden]";

/** The settings without which the service would be another one, as they were given. Of a secret it says that there is one. */
export function changedSettings(environment: Settings): Record<string, string> {
  const { SETTINGS_FILE: file, ...given } = readSettings(environment);
  const config = readConfig(given);
  const secret: ReadonlySet<string> = new Set(secretNames);
  const changed: Record<string, string> = file === undefined ? {} : { SETTINGS_FILE: file };
  for (const name of settingNames()) {
    const value = given[name]?.trim() ?? "";
    if (value === "" || isDeepStrictEqual(configWithout(given, name), config)) continue;
    changed[name] = secret.has(name) ? hidden : value;
  }
  return changed;
}

/** Undefined: it cannot be left out. */
function configWithout(given: Settings, name: string): Config | undefined {
  try {
    return readConfig({ ...given, [name]: undefined });
  } catch (error) {
    if (error instanceof InvalidConfiguration) return undefined;
    throw error;
  }
}
