import { type Country, countryDefault } from "./kernel/countries.ts";
import { encryptionProblemOf } from "./kernel/database-url.ts";
import { acceptableLosses, type DurabilityName } from "./kernel/durability-names.ts";
import { InvalidConfiguration } from "./kernel/errors.ts";
import { withoutSlashes } from "./kernel/without-slashes.ts";
import {
  processesMax,
  type Role,
  readSettings,
  type Settings,
  settingsReader,
} from "./settings-reader.ts";

export interface Config {
  readonly environment: "staging" | "production";
  readonly host: string;
  readonly port: number;
  readonly publicUrl: string;
  /** Undefined: the embedded PostgreSQL under dataDir. */
  readonly databaseUrl: string | undefined;
  readonly databasePoolSize: number;
  /** How long a start waits for a database that lets it write. */
  readonly databaseWaitMs: number;
  /** What one statement may take before it is given up. */
  readonly databaseTimeoutMs: number;
  /** What its servers may lack in production, although they may lose acknowledged payments then. */
  readonly lossesAccepted: ReadonlySet<DurabilityName>;
  readonly dataDir: string;
  /** Newest first: the ones after it open what is not sealed anew yet. Empty: the file under dataDir. */
  readonly masterKeys: readonly Buffer[];
  readonly brand: string;
  /** What SIGHUP reads again; undefined: the environment alone, which does not change. */
  readonly settingsFile: string | undefined;
  readonly logLevel: string;
  readonly roles: ReadonlySet<Role>;
  /** How many of them answer requests behind one address. */
  readonly processes: number | "auto";
  /** The first of as many ports, one for each process alone; undefined: none. */
  readonly processPorts: number | undefined;
  /** How many proxies stand before this node; the caller's address is so many places from the right. */
  readonly trustProxy: number;
  readonly rateLimitPerSecond: number;
  readonly authFailuresPerMinute: number;
  /** Beyond this delay of the event loop requests are refused at once; 0 never refuses. */
  readonly eventLoopDelayMaxMs: number;
  /** 0: a blocked process is left alone. */
  readonly eventLoopBlockedMaxMs: number;
  /** Requests worked on at once; beyond it they are refused at once. 0 never refuses. */
  readonly requestsMax: number;
  /** Bytes of request bodies in hand at once; what would be more is refused before it is read. */
  readonly bodyBytesMax: number;
  /** What one company may have of the two above, from 0 to 1. */
  readonly companyShare: number;
  readonly testMsisdns: { readonly success: string; readonly failure: string } | undefined;
  readonly chargeLifetimeSeconds: number;
  readonly walletMax: { readonly complete: number; readonly otherwise: number };
  readonly quotas: Quotas;
  /** Undefined: messages are written to the log and codes shown on the page, which only staging may do. */
  readonly smsGateway: { readonly url: string; readonly token: string } | undefined;
  /** Messages an hour and a day: to one phone, from one address, for one company, to one country, in all. */
  readonly messageBudgets: Readonly<
    Record<
      "phone" | "address" | "company" | "country" | "all",
      { readonly hour: number; readonly day: number }
    >
  >;
  /** Calling codes of the countries whose numbers are sent messages. */
  readonly messageCountries: readonly string[];
  readonly operator: Operator;
  /** What whoever reads /metrics has to show. Undefined: anyone may in staging, and no one in production. */
  readonly metricsToken: string | undefined;
  /** Undefined: no traces are recorded. */
  readonly tracing: TracingSettings | undefined;
  /** Where the people are who use this installation; a company may name another country. */
  readonly country: Country;
}

/** Where traces go, by the names that OpenTelemetry gives its settings. */
interface TracingSettings {
  readonly endpoint: string;
  /** Sent along, such as a token. */
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** What is recorded of the requests that bring no decision of their own, from 0 to 1. */
  readonly ratio: number;
}

/** What one company may have, and do in a minute or a day: more than an honest business needs. */
interface Quotas {
  readonly subCompaniesMax: number;
  readonly webhooksMax: number;
  readonly keysMax: number;
  readonly refundsPerChargeMax: number;
  readonly logosPerDay: number;
  readonly unknownRecipientsPerDay: number;
  readonly customerChecksPerMinute: number;
}

/** Benin, Burkina Faso, Côte d’Ivoire, Guinea-Bissau, Mali, Niger, Senegal, Togo: where the franc is money. */
const callingCodesOfTheUnion = "229,226,225,245,223,227,221,228";

/** Whose service this is, as pages, messages and receipts name it. */
export interface Operator {
  readonly name: string;
  /** What people agree to; undefined in staging alone. */
  readonly termsUrl: string | undefined;
  /** Where they ask for help: a phone number or an e-mail address. Undefined in staging alone. */
  readonly support: string | undefined;
}

/** Of the database, that a process needs for its requests. */
export const connectionsLeast = 2;

/** Marked as a test, because people read it. */
const operatorNameInStaging = "Cauri (test)";

const requiredInProduction = [
  "DATABASE_URL",
  "MASTER_KEY",
  "PUBLIC_URL",
  "SMS_GATEWAY_URL",
  "SMS_GATEWAY_TOKEN",
  "OPERATOR_NAME",
  "OPERATOR_TERMS_URL",
  "OPERATOR_SUPPORT",
] as const;

/** Reads and checks everything at once, so that one start names every problem instead of the first. */
export function readConfig(given: Settings): Config {
  const problems: string[] = [];
  const environment = readSettings(given, problems);
  const read = settingsReader(environment, problems);

  const kind = read.oneOf("CAURI_ENV", ["staging", "production"], "staging");
  const port = read.integer("PORT", 0, 65_535, 8_080);
  const host = read.text("HOST") ?? "127.0.0.1";
  const databaseUrl = read.database("DATABASE_URL");
  const encryption = databaseUrl && encryptionProblemOf(databaseUrl, kind === "production");
  if (encryption !== undefined) problems.push(`DATABASE_URL ${encryption}.`);
  const masterKeys = read.keys("MASTER_KEY");
  const web = kind === "production" ? ["https:"] : ["http:", "https:"];
  const publicUrl = read.url("PUBLIC_URL", web);
  const brand =
    read.matching("BRAND", /^[a-z][a-z0-9-]{0,30}$/, "lower-case letters, digits and hyphens") ??
    "service";
  const success = read.msisdn("TEST_MSISDN_SUCCESS", "2250700000000");
  const failure = read.msisdn("TEST_MSISDN_FAILURE", "2250700000001");
  if (success === failure)
    problems.push("TEST_MSISDN_SUCCESS and TEST_MSISDN_FAILURE must be different.");

  const gatewayUrl = read.url("SMS_GATEWAY_URL", web);
  const gatewayToken = read.matching(
    "SMS_GATEWAY_TOKEN",
    /^[\x21-\x7e]{1,4096}$/,
    "printable characters without spaces",
  );
  const isHalfSet =
    (read.text("SMS_GATEWAY_URL") === undefined) !== (read.text("SMS_GATEWAY_TOKEN") === undefined);
  if (kind === "staging" && isHalfSet)
    problems.push("SMS_GATEWAY_URL and SMS_GATEWAY_TOKEN must be set together, or neither.");

  const tracesUrl = read.url("OTEL_EXPORTER_OTLP_ENDPOINT", ["http:", "https:"]);
  if (tracesUrl !== undefined && /[@?#]/.test(tracesUrl))
    problems.push(
      "OTEL_EXPORTER_OTLP_ENDPOINT must have no user, query or fragment: a token belongs into OTEL_EXPORTER_OTLP_HEADERS.",
    );
  const tracesHeaders = read.headers("OTEL_EXPORTER_OTLP_HEADERS");
  const tracesRatio = read.ratio("OTEL_TRACES_SAMPLER_ARG", 1);
  const serviceName =
    read.matching("OTEL_SERVICE_NAME", /^[\w.-]{1,100}$/, "letters, digits, dots, hyphens and _") ??
    "cauri";

  if (kind === "production") {
    // Node.js obeys it wherever nobody says otherwise, the connection to the database included.
    if (environment["NODE_TLS_REJECT_UNAUTHORIZED"] === "0")
      problems.push("NODE_TLS_REJECT_UNAUTHORIZED=0 trusts every certificate: not in production.");
    for (const name of requiredInProduction)
      if (read.text(name) === undefined) problems.push(`${name} is required in production.`);
  }

  const processes = read.processes("PROCESSES");
  const databasePoolSize = read.integer("DATABASE_POOL_SIZE", 2, 200, 10);
  if (processes !== "auto" && processes > 1 && databasePoolSize < processes * connectionsLeast)
    problems.push(
      `DATABASE_POOL_SIZE must be at least ${processes * connectionsLeast}: ${connectionsLeast} for each of ${processes} PROCESSES.`,
    );
  const processPorts = read.ports("PROCESS_PORTS", processes === "auto" ? processesMax : processes);
  if (processPorts?.includes(port) === true)
    problems.push(`PROCESS_PORTS must leave PORT ${port} to all processes together.`);

  const config: Config = {
    environment: kind,
    host,
    port,
    publicUrl: withoutSlashes(
      publicUrl ?? `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    ),
    databaseUrl,
    databasePoolSize,
    databaseWaitMs: read.integer("DATABASE_WAIT_SECONDS", 0, 3_600, 30) * 1_000,
    databaseTimeoutMs: read.integer("DATABASE_TIMEOUT_MS", 100, 600_000, 20_000),
    lossesAccepted: read.someOf("PAYMENTS_MAY_BE_LOST_WITHOUT", acceptableLosses),
    dataDir: read.text("DATA_DIR") ?? ".cauri",
    masterKeys,
    brand,
    settingsFile: read.text("SETTINGS_FILE"),
    logLevel: read.oneOf(
      "LOG_LEVEL",
      ["trace", "debug", "info", "warn", "error", "fatal", "silent"],
      "info",
    ),
    roles: read.roles("ROLES"),
    processes,
    processPorts: processPorts?.[0],
    trustProxy: read.hops("TRUST_PROXY"),
    rateLimitPerSecond: read.integer("RATE_LIMIT_PER_SECOND", 0, 1_000_000, 0),
    authFailuresPerMinute: read.integer("AUTH_FAILURES_PER_MINUTE", 1, 1_000_000, 60),
    eventLoopDelayMaxMs: read.integer("EVENT_LOOP_DELAY_MAX_MS", 0, 60_000, 1_000),
    eventLoopBlockedMaxMs: read.integer("EVENT_LOOP_BLOCKED_MAX_MS", 0, 600_000, 10_000),
    requestsMax: read.integer("REQUESTS_IN_FLIGHT_MAX", 0, 100_000, 1_024),
    bodyBytesMax: read.integer("BODY_MEGABYTES_IN_FLIGHT_MAX", 1, 65_536, 32) * 1_024 * 1_024,
    companyShare: read.integer("COMPANY_SHARE_PERCENT", 1, 100, 50) / 100,
    testMsisdns: kind === "staging" ? { success, failure } : undefined,
    chargeLifetimeSeconds: read.integer("CHARGE_LIFETIME_SECONDS", 1, 86_400, 3_600),
    walletMax: {
      complete: read.integer("WALLET_MAX_KYC_COMPLETE", 0, 1_000_000_000_000, 2_000_000),
      otherwise: read.integer("WALLET_MAX_KYC_OTHERWISE", 0, 1_000_000_000_000, 200_000),
    },
    quotas: {
      subCompaniesMax: read.integer("SUB_COMPANIES_MAX", 1, 1_000_000, 10_000),
      webhooksMax: read.integer("WEBHOOKS_MAX", 1, 1_000, 20),
      keysMax: read.integer("KEYS_MAX", 2, 100, 10),
      refundsPerChargeMax: read.integer("REFUNDS_PER_CHARGE_MAX", 1, 10_000, 100),
      logosPerDay: read.integer("LOGOS_PER_DAY", 1, 1_000_000, 10_000),
      unknownRecipientsPerDay: read.integer("UNKNOWN_RECIPIENTS_PER_DAY", 1, 1_000_000_000, 10_000),
      customerChecksPerMinute: read.integer("CUSTOMER_CHECKS_PER_MINUTE", 1, 1_000_000, 3_000),
    },
    smsGateway:
      gatewayUrl === undefined || gatewayToken === undefined
        ? undefined
        : { url: gatewayUrl, token: gatewayToken },
    messageBudgets: {
      phone: read.budget("MESSAGES_PER_PHONE", { hour: 12, day: 30 }),
      address: read.budget("MESSAGES_PER_ADDRESS", { hour: 300, day: 2_000 }),
      company: read.budget("MESSAGES_PER_COMPANY", { hour: 1_000, day: 10_000 }),
      country: read.budget("MESSAGES_PER_COUNTRY", { hour: 2_500, day: 25_000 }),
      all: read.budget("MESSAGES_IN_ALL", { hour: 5_000, day: 50_000 }),
    },
    messageCountries: (
      read.matching(
        "MESSAGE_COUNTRIES",
        /^[1-9][0-9]{0,3}(?: ?, ?[1-9][0-9]{0,3})*$/,
        "calling codes with commas between them, such as 225,221",
      ) ?? callingCodesOfTheUnion
    ).split(/ ?, ?/),
    metricsToken: read.matching(
      "METRICS_TOKEN",
      /^[\x21-\x7e]{16,4096}$/,
      "at least 16 printable characters without spaces (try: openssl rand -hex 24)",
    ),
    tracing:
      tracesUrl === undefined
        ? undefined
        : { endpoint: tracesUrl, headers: tracesHeaders, serviceName, ratio: tracesRatio },
    operator: {
      name:
        read.matching(
          "OPERATOR_NAME",
          /^[\p{L}\p{N}][\p{L}\p{N} .,&'’()-]{0,29}$/u,
          "up to 30 letters, digits, spaces and .,&'’()-, because it begins every message",
        ) ?? operatorNameInStaging,
      termsUrl: read.url("OPERATOR_TERMS_URL", web),
      support: read.matching(
        "OPERATOR_SUPPORT",
        [/^\+?[0-9](?: ?[0-9]){2,19}$/, /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/],
        "a phone number (digits, with single spaces if you like and a leading + or none) or an e-mail address",
      ),
    },
    country: read.country("DEFAULT_COUNTRY") ?? countryDefault,
  };
  if (problems.length > 0) throw new InvalidConfiguration(problems);
  return config;
}

/** The names of all settings: those that reading them asks for. */
export function settingNames(): readonly string[] {
  const names = new Set<string>();
  const asked = new Proxy<Settings>(
    {},
    { get: (_, name) => void (typeof name === "string" && names.add(name)) },
  );
  readConfig(asked);
  return [...names];
}
