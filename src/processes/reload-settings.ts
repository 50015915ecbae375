import type { Logger } from "pino";
import { type Config, readConfig, settingNames } from "../config.ts";
import { InvalidConfiguration } from "../kernel/errors.ts";
import { readSettings, type Settings } from "../settings-reader.ts";

/** What a running process takes over: whoever needs it reads it from the configuration each time. */
const liveNames: ReadonlySet<string> = new Set([
  "LOG_LEVEL",
  "RATE_LIMIT_PER_SECOND",
  "MESSAGES_PER_PHONE",
  "MESSAGES_PER_ADDRESS",
  "MESSAGES_PER_COMPANY",
  "MESSAGES_PER_COUNTRY",
  "MESSAGES_IN_ALL",
  "MESSAGE_COUNTRIES",
]);

/** Reads the settings again and takes over what can be, in the configuration that everybody holds; says which, and what has to wait. */
export class SettingsReload {
  readonly #config: Config;
  readonly #logger: Logger;
  readonly #environment: Settings;
  /** What cannot be taken over is still as it was at the start. */
  readonly #begun: Settings;
  #current: Settings;

  constructor(config: Config, logger: Logger, environment: Settings) {
    this.#config = config;
    this.#logger = logger;
    this.#environment = environment;
    this.#begun = readSettings(environment);
    this.#current = this.#begun;
  }

  run(): void {
    const settings = readSettings(this.#environment);
    try {
      const { logLevel, rateLimitPerSecond, messageBudgets, messageCountries } = readConfig(
        this.#environment,
      );
      const differsFrom = (other: Settings) => (name: string) => settings[name] !== other[name];
      const takenOver = [...liveNames].filter(differsFrom(this.#current));
      const needRestart = settingNames().filter(
        (name) => !liveNames.has(name) && differsFrom(this.#begun)(name),
      );
      // Before the level changes, so that this line is not lost to it.
      this.#tell(takenOver, needRestart);
      Object.assign(this.#config, {
        logLevel,
        rateLimitPerSecond,
        messageBudgets,
        messageCountries,
      });
      this.#logger.level = logLevel;
      this.#current = settings;
    } catch (error) {
      if (!(error instanceof InvalidConfiguration)) throw error;
      this.#logger.error(`SIGHUP: the settings stay as they were. ${error.message}`);
    }
  }

  #tell(takenOver: readonly string[], needRestart: readonly string[]): void {
    const parts = [
      takenOver.length === 0 ? "no setting was taken over" : `taken over: ${takenOver.join(", ")}`,
      ...(needRestart.length === 0 ? [] : [`changed, needs a restart: ${needRestart.join(", ")}`]),
      ...(this.#config.settingsFile === undefined
        ? ["there is no SETTINGS_FILE to read, and the environment of a process does not change"]
        : []),
    ];
    this.#logger.warn({ takenOver, needRestart }, `SIGHUP: ${parts.join("; ")}`);
  }
}
