import { toVisible } from "../../kernel/visible.ts";
import type { Outcome } from "../context.ts";
import { forgetCredentials, readCredentials } from "../credentials.ts";
import { ProfileNotFound } from "../errors.ts";
import { askedProfile, listProfiles, profileDefault, profilePath } from "../profiles.ts";
import { readOwnSettings } from "../read-client.ts";
import { toTable } from "../table.ts";

/** The logins that are kept, and which of them commands use. */
export async function listProfilesCommand(options: {
  readonly profile?: string | undefined;
}): Promise<Outcome> {
  const hasToken = readOwnSettings(process.env).token !== undefined;
  const current = hasToken
    ? undefined
    : (askedProfile(process.env, options.profile) ?? profileDefault);
  const names = await listProfiles(process.env);
  const rows = await Promise.all(names.map((name) => describe(name, name === current)));
  return {
    value: rows,
    text: [
      ...(rows.length === 0
        ? [
            "Nobody is logged in. `cauri login` keeps a token; `cauri login --profile NAME` another.",
          ]
        : [
            toTable([
              ["", "PROFILE", "COMPANY", "ENVIRONMENT", "ADDRESS"],
              ...rows.map(({ isCurrent, profile, company, environment, url, problem }) => [
                isCurrent ? "*" : "",
                profile,
                problem === null ? (company ?? "") : `cannot be used: ${problem}`,
                environment ?? "",
                url ?? "",
              ]),
            ]),
          ]),
      ...(hasToken ? ["CAURI_TOKEN is set: commands use it, and none of these."] : []),
    ].join("\n"),
  };
}

async function describe(profile: string, isCurrent: boolean) {
  const file = profilePath(process.env, profile);
  try {
    const kept = await readCredentials(file);
    return {
      profile,
      isCurrent,
      url: kept?.url ?? null,
      company: kept?.company ?? null,
      companyId: kept?.companyId ?? null,
      environment: kept?.environment ?? null,
      hasSecretKey: typeof kept?.secretKey === "string",
      file,
      problem: null,
    };
  } catch (error) {
    const problem = toVisible(error instanceof Error ? error.message : String(error));
    return {
      profile,
      isCurrent,
      url: null,
      company: null,
      companyId: null,
      environment: null,
      hasSecretKey: false,
      file,
      problem,
    };
  }
}

export async function removeProfileCommand(name: string): Promise<Outcome> {
  const file = profilePath(process.env, name);
  if (!(await forgetCredentials(file))) {
    const names = await listProfiles(process.env);
    throw new ProfileNotFound(name, names);
  }
  return {
    value: { removed: name, file },
    text: `The login ${name} is forgotten. Its token stays good; the operator revokes it with \`cauri key revoke\`.`,
  };
}
