import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packageRoot } from "../../src/kernel/root.ts";
import { type CommandResult, endProcess, Program, postmasterPid, runCommand } from "../program.ts";
import { joinAsOwner, nobody, type Owner } from "./owner.ts";

export interface SiteOptions {
  /** The checkout that is tried; by default, this one. */
  readonly root: string | undefined;
  /** For the program, beside those that let nothing but its work decide. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** The service neither sheds load nor counts what is asked often: nothing but its work decides how long it takes. */
const patient = {
  EVENT_LOOP_DELAY_MAX_MS: "0",
  REQUESTS_IN_FLIGHT_MAX: "0",
  AUTH_FAILURES_PER_MINUTE: "1000000",
  CUSTOMER_CHECKS_PER_MINUTE: "1000000",
  UNKNOWN_RECIPIENTS_PER_DAY: "1000000",
  LOG_LEVEL: "warn",
};

/**
 * A service from whichever checkout, used as people use it: by its commands, its pages and its API alone. So it can be one of
 * another time, whose tables are others.
 */
export class Site {
  readonly #root: string;
  readonly #dataDir: string;
  readonly #environment: Readonly<Record<string, string>>;
  #program: Program;
  #companyId = "";
  /** Who attacks, and who has nothing to do with it. */
  token = "";
  neighbourToken = "";
  owner = nobody;
  approver = nobody;

  private constructor(
    root: string,
    dataDir: string,
    environment: Readonly<Record<string, string>>,
  ) {
    this.#root = root;
    this.#dataDir = dataDir;
    this.#environment = environment;
    this.#program = this.#start();
  }

  static async open<Result>(
    { root = packageRoot, environment = {} }: SiteOptions,
    work: (site: Site) => Promise<Result>,
  ): Promise<Result> {
    const folder = await mkdtemp(join(tmpdir(), "cauri-cost-"));
    const site = new Site(root, join(folder, ".cauri"), { ...patient, ...environment });
    try {
      await site.#program.ready();
      await site.#prepare();
      return await work(site);
    } finally {
      await site.#program.end("SIGKILL");
      const pid = await postmasterPid(site.#dataDir);
      if (pid !== undefined) await endProcess(pid, "SIGQUIT");
      await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    }
  }

  get url(): string {
    return this.#program.url;
  }

  get pid(): number {
    return this.#program.process.pid ?? 0;
  }

  get isRunning(): boolean {
    return this.#program.isRunning;
  }

  /** What it said last. */
  get lastWords(): string {
    return this.#program.output.trim().split("\n").at(-1)?.slice(0, 500) ?? "";
  }

  get root(): string {
    return this.#root;
  }

  get folder(): string {
    return join(this.#dataDir, "..");
  }

  /** A new process on the same database, without what the old one had in memory. */
  async restart(): Promise<void> {
    await this.#program.end("SIGKILL");
    this.#program = this.#start();
    await this.#program.ready();
  }

  #start(): Program {
    return new Program(this.#dataDir, this.#environment, this.#root);
  }

  async holdWhatKeysSend(): Promise<void> {
    await this.command(["company", "set", this.#companyId, "--keys-alone-max", "0", "--json"]);
  }

  async #prepare(): Promise<void> {
    const make = (name: string) =>
      this.command(["company", "create", name, "--fund", "1000000000", "--json"]) as Promise<{
        companyId: string;
        accessToken: string;
      }>;
    const attacker = await make("Attacker");
    this.token = attacker.accessToken;
    this.#companyId = attacker.companyId;
    this.neighbourToken = (await make("Neighbour")).accessToken;
    this.owner = await this.#invite("owner@attacker.example", attacker.companyId);
    this.approver = await this.#invite("approver@attacker.example", attacker.companyId);
  }

  async #invite(email: string, companyId: string): Promise<Owner> {
    const whom = ["staff", "invite", email, "--role", "owner", "--company", companyId];
    const { link } = (await this.command([...whom, "--json"])) as { link: string };
    return joinAsOwner(this.url, new URL(link).pathname);
  }

  /** One command of the command line, run to its end. */
  run(args: readonly string[]): Promise<CommandResult> {
    return runCommand(this.#dataDir, args, this.#environment, this.#root);
  }

  /** The same of one that has to go well, and answers in JSON. */
  async command(args: readonly string[]): Promise<unknown> {
    const { code, stdout, stderr } = await this.run(args);
    if (code !== 0) throw new Error(`cauri ${args.join(" ")}: ${stderr}`);
    return JSON.parse(stdout) as unknown;
  }
}
