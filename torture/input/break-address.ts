import { toAddress } from "../api/blueprint.ts";
import type { Operation } from "../api/document.ts";
import { always, type Breakage, type Broken, toDraft, whole } from "./draft.ts";
import { hostileIds, hostileNames, hostileQueryValues, hostileTexts } from "./hostile-values.ts";

const methods = [
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
  "TRACE",
  "CONNECT",
  "PROPFIND",
  "MKCOL",
  "SEARCH",
  "PURGE",
  "QUERY",
  "get",
  "Post",
  "FOO",
  "PRI",
  "G\u0000T",
  "G T",
  "'",
  "X".repeat(300),
];

/** Addresses that lead nowhere, and questions that make no sense. */
export const addressBreakages: readonly Breakage[] = [
  {
    name: "malformed id",
    appliesTo: ({ parameters }) => parameters.some((parameter) => parameter.in === "path"),
    make: (blueprint, random) => {
      const names = Object.keys(blueprint.path);
      const path = { ...blueprint.path, [random.pick(names)]: random.pick(hostileIds) };
      const target = toAddress({ ...blueprint, path }, (value) => value);
      // Some ids take the address apart, and others are part of the next one.
      return whole(undefined, { ...toDraft(blueprint), target });
    },
  },
  {
    name: "bad query value",
    appliesTo: ({ parameters }) => parameters.some((parameter) => parameter.in === "query"),
    make: (blueprint, random) => {
      const name = random.pick(queryNames(blueprint.operation));
      const value = random.isLikely(0.6)
        ? random.pick(hostileQueryValues)
        : encode(random.pick(hostileTexts));
      return asking(blueprint, `${required(blueprint.operation, name)}${name}=${value}`);
    },
  },
  {
    name: "repeated or nested query parameter",
    appliesTo: ({ parameters }) => parameters.some((parameter) => parameter.in === "query"),
    make: (blueprint, random) => {
      const name = random.pick(queryNames(blueprint.operation));
      const value = random.pick(["1", "", "x", "2250700000001"]);
      const query = random.pick([
        `${name}=${value}&${name}=2`,
        Array.from({ length: 500 }, () => `${name}=1`).join("&"),
        `${name}[]=${value}`,
        `${name}[0]=${value}&${name}[1]=2`,
        `${name}[__proto__]=${value}`,
        `${name}[constructor][prototype][x]=1`,
        `${name}%5B%5D=${value}`,
        `${name}.x=${value}`,
        name,
        `${name}=`,
        `=${value}`,
        `${name}==${value}`,
        `${name}=${value};${name}=2`,
        `${name}%00=${value}`,
        `${name.toUpperCase()}=${value}`,
        `${name}=${"9".repeat(7_000)}`,
      ]);
      return asking(blueprint, query);
    },
  },
  {
    name: "strange query",
    appliesTo: always,
    make: (blueprint, random) => {
      const name = encode(random.pick(hostileNames));
      const query = random.pick([
        `${name}=1`,
        "&&&&====&&",
        "?".repeat(100),
        "%",
        "%zz=%zz",
        "%00",
        "a=%ff%fe",
        "#fragment",
        Array.from({ length: 1_000 }, (_, index) => `a${index}=1`).join("&"),
        `a${"[x]".repeat(500)}=1`,
        "x".repeat(14_000),
        "\u00e9=\u00ff",
        "access_token=x&token=y",
        "limit=1&limit=2",
      ]);
      return asking(blueprint, query);
    },
  },
  {
    name: "wrong address",
    appliesTo: always,
    make: (blueprint, random) => {
      const draft = toDraft(blueprint);
      const { target } = draft;
      const wrong = random.pick([
        `${target}/`,
        `${target}//`,
        `/${target}`,
        target.replaceAll("/", "//"),
        target.toUpperCase(),
        target.slice(0, -1),
        `${target}x`,
        `${target}.json`,
        `${target}%00`,
        `${target}%2f..`,
        `${target}/../../..`,
        `/v1/..${target}`,
        `/%76%31${target.slice(3)}`,
        target.replace("/v1", "/v2"),
        target.replace("/v1", ""),
        target.replace("/v1", "/v1/v1"),
        `${target}#x`,
        `${target};x=1`,
        `${target}\\`,
        `\\${target}`,
        `http://127.0.0.1${target}`,
        `http://evil.example${target}`,
        `https:${target}`,
        `//evil.example${target}`,
        target.slice(1),
        "*",
        "/",
        "",
        "?",
        "/.git/config",
        "/.env",
        "/package.json",
        "/etc/passwd",
        "/v1/%2e%2e/%2e%2e/package.json",
        "/v1/" + "a/".repeat(2_000),
        `${target}${"/x".repeat(3_000)}`,
        `${target}\u00e9`,
        `${target}\t`,
        `${target} x`,
        "/v1/__proto__",
        "/constructor",
      ]);
      return whole(undefined, { ...draft, target: wrong });
    },
  },
  {
    name: "wrong method",
    appliesTo: always,
    make: (blueprint, random) => {
      const own = blueprint.operation.methods;
      const method = random.pick(methods.filter((one) => !own.includes(one)));
      const draft = { ...toDraft(blueprint), method };
      const isTunnel = method === "CONNECT";
      return { ...whole(undefined, draft), mayHangUp: isTunnel };
    },
  },
];

function asking(blueprint: Parameters<typeof toDraft>[0], query: string): Broken {
  const draft = toDraft(blueprint);
  return whole(blueprint.operation, { ...draft, target: `${draft.target}?${query}` });
}

function queryNames({ parameters }: Operation): string[] {
  return parameters.filter((one) => one.in === "query").map(({ name }) => name);
}

/** What has to be asked beside it, so that the broken value is what is looked at. */
function required(operation: Operation, except: string): string {
  return operation.parameters
    .filter((one) => one.in === "query" && one.required && one.name !== except)
    .map(({ name }) => `${name}=2250700000001&`)
    .join("");
}

function encode(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, "\ufffd"));
}
