import { chmod, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { credentialsPath, forgetCredentials, keepCredentials } from "./credentials.ts";
import { listProfiles, profilePath } from "./profiles.ts";
import { checkToken, needSecretKey, readClient, readTimeoutMs } from "./read-client.ts";

const token = `at_${"x".repeat(43)}`;
const secretKey = `sk_${"x".repeat(43)}`;
const kept = {
  version: 1,
  url: "https://pay.example",
  token: `at_${"y".repeat(43)}`,
  secretKey: `sk_${"y".repeat(43)}`,
  companyId: "com_1",
  company: "Boutique Awa",
  environment: "staging",
} as const;

async function makeHome(): Promise<{ readonly HOME: string }> {
  const HOME = await mkdtemp(join(tmpdir(), "cauri-home-"));
  onTestFinished(() => rm(HOME, { recursive: true, force: true }));
  return { HOME };
}

test("a business's settings: an address and a token", async () => {
  const home = await makeHome();
  expect(await readClient({ ...home, CAURI_TOKEN: token })).toEqual({
    url: "http://127.0.0.1:8080",
    token,
    secretKey: undefined,
    profile: undefined,
    companyId: undefined,
  });
  const there = { ...home, CAURI_TOKEN: ` ${token}\n`, CAURI_URL: "https://pay.example/" };
  expect(await readClient(there)).toMatchObject({ url: "https://pay.example", token });
  expect((await readClient(there, { url: "http://localhost:1" })).url).toBe("http://localhost:1");
  for (const wrong of [
    { CAURI_TOKEN: "sk_secret" },
    { CAURI_TOKEN: token, CAURI_URL: "pay.example" },
    { CAURI_TOKEN: token, CAURI_URL: "ftp://pay.example" },
    { CAURI_TOKEN: token, CAURI_URL: "https://me:secret@pay.example" },
    { CAURI_TOKEN: token, CAURI_SECRET_KEY: token },
  ])
    await expect(readClient({ ...home, ...wrong })).rejects.toThrow("cannot be used");
  for (const nobody of [{}, { CAURI_TOKEN: "" }])
    await expect(readClient({ ...home, ...nobody })).rejects.toThrow("Nobody is logged in");
});

test("what a business signs with: its secret key, and no token", async () => {
  const home = await makeHome();
  const own = { ...home, CAURI_TOKEN: token, CAURI_SECRET_KEY: ` ${secretKey}\n` };
  expect(needSecretKey(await readClient(own))).toBe(secretKey);
  expect(() => needSecretKey({ secretKey: undefined })).toThrow("CAURI_SECRET_KEY");
});

test("what login has kept is read by its owner alone, and a variable goes before it", async () => {
  const home = await makeHome();
  const path = credentialsPath(home);
  expect(path).toBe(join(home.HOME, ".config/cauri/credentials.json"));
  await keepCredentials(path, kept);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await stat(dirname(path))).mode & 0o777).toBe(0o700);

  const { url, secretKey: signedWith } = kept;
  const client = {
    url,
    token: kept.token,
    secretKey: signedWith,
    profile: "default",
    companyId: "com_1",
  };
  expect(await readClient(home)).toEqual(client);
  // A login of before companies were kept is as good as ever; what is no id of one is not sent as one.
  for (const companyId of [undefined, null, "", "com_1\r\nx-other: 1", "société"]) {
    await writeFile(path, JSON.stringify({ ...kept, companyId }));
    expect(await readClient(home)).toEqual({ ...client, companyId: undefined });
  }
  await keepCredentials(path, kept);
  expect((await readClient({ ...home, CAURI_SECRET_KEY: secretKey })).secretKey).toBe(secretKey);
  // With a token of its own, nothing of the file is used, and its state is nobody's concern.
  await chmod(path, 0o644);
  expect(await readClient({ ...home, CAURI_TOKEN: token })).toMatchObject({
    url: "http://127.0.0.1:8080",
    secretKey: undefined,
  });
});

test.each([0o640, 0o604, 0o622, 0o660])("a file of mode %o is not used", async (mode) => {
  const home = await makeHome();
  const path = credentialsPath(home);
  await keepCredentials(path, kept);
  await chmod(path, mode);

  await expect(readClient(home)).rejects.toThrow(`chmod 600 ${path}`);
});

test("a token is shown to the address that it was kept with, and to no other", async () => {
  const home = { XDG_CONFIG_HOME: join((await makeHome()).HOME, "settings") };
  await keepCredentials(credentialsPath(home), kept);

  expect((await readClient(home, { url: "https://pay.example/" })).token).toBe(kept.token);
  for (const [environment, options] of [
    [home, { url: "https://pay.example.evil" }],
    [{ ...home, CAURI_URL: "http://pay.example" }, {}],
  ] as const)
    await expect(readClient(environment, options)).rejects.toThrow(
      "You are logged in at https://pay.example, and its token is not sent to",
    );
});

test("a file that is damaged says so, and one that is forgotten is gone", async () => {
  const home = await makeHome();
  const path = credentialsPath(home);
  await keepCredentials(path, kept);
  for (const text of [
    "",
    "null",
    "{",
    '{"version":2}',
    '{"version":1,"url":7}',
    "x".repeat(70_000),
  ]) {
    await writeFile(path, text);
    await expect(readClient(home), text.slice(0, 20)).rejects.toThrow("cauri login");
  }
  expect([await forgetCredentials(path), await forgetCredentials(path)]).toEqual([true, false]);
});

test("each profile has a file of its own, and CAURI_TOKEN beside one is refused", async () => {
  const home = await makeHome();
  const shop = { ...kept, token: `at_${"z".repeat(43)}`, url: "https://shop.example" };
  await keepCredentials(profilePath(home, "default"), kept);
  await keepCredentials(profilePath(home, "shop"), shop);
  const path = join(home.HOME, ".config/cauri/profiles/shop.json");
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await stat(dirname(path))).mode & 0o777).toBe(0o700);
  expect(await listProfiles(home)).toEqual(["default", "shop"]);

  expect(await readClient(home)).toMatchObject({ token: kept.token, profile: "default" });
  for (const [environment, options] of [
    [home, { profile: "shop" }],
    [{ ...home, CAURI_PROFILE: " shop\n" }, {}],
    [{ ...home, CAURI_PROFILE: "other" }, { profile: "shop" }],
  ] as const)
    expect(await readClient(environment, options)).toMatchObject({
      token: shop.token,
      url: shop.url,
      profile: "shop",
    });
  expect((await readClient({ ...home, CAURI_PROFILE: "" })).profile).toBe("default");

  const set = { ...home, CAURI_TOKEN: token };
  await expect(readClient(set, { profile: "shop" })).rejects.toThrow("Unset CAURI_TOKEN");
  await expect(readClient({ ...set, CAURI_PROFILE: "shop" })).rejects.toThrow("Unset CAURI_TOKEN");
  await expect(readClient(home, { profile: "market" })).rejects.toThrow(
    "Run `cauri login --profile market`",
  );
  for (const wrong of ["../shop", "Shop", "a b", "x".repeat(33), "-x"])
    await expect(readClient({ ...home, CAURI_PROFILE: wrong }), wrong).rejects.toThrow(
      "CAURI_PROFILE must be",
    );
});

test.each([
  ["", "No token was given."],
  [`sk_${"x".repeat(43)}`, "That is the secret key"],
  [`com_${"0".repeat(32)}`, "id of a company"],
  ["Bearer", "Leave out the word Bearer"],
  [`"at_${"x".repeat(43)}"`, "quotation marks"],
  ["eyJhbGciOiJIUzI1NiJ9.e30.x", "JSON Web Token"],
  [`at_${"x".repeat(20)}`, "it has 23 characters, and one has 46. Was its end left out?"],
  [`at_${"x".repeat(50)}`, "it has 53 characters, and one has 46. Was something copied"],
  [`at_${"x".repeat(42)}!`, "has a character that is no letter"],
  ["hunter2hunter2", "it does not begin with at_; it has 14 characters, and one has 46"],
])("what was given instead of a token is said, and not shown: %s", (given, said) => {
  let message = "";
  try {
    checkToken(given);
  } catch (error) {
    message = (error as Error).message;
  }
  expect(message).toContain(said);
  expect(message).toContain("Give the access token (at_…)");
  for (const word of given.split(/[^\w]+/).filter(({ length }) => length > 6))
    expect(message).not.toContain(word);
});

test("patience is a number of milliseconds", () => {
  expect([readTimeoutMs({}), readTimeoutMs({ CAURI_TIMEOUT_MS: "500" })]).toEqual([15_000, 500]);
  for (const text of ["0", "99", "-1", "1e9", "soon"])
    expect(() => readTimeoutMs({ CAURI_TIMEOUT_MS: text })).toThrow("CAURI_TIMEOUT_MS");
});
