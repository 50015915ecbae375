import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

type Algorithm = "ES256" | "EdDSA" | "RS256";

interface Kept {
  readonly id: Buffer;
  readonly key: KeyObject;
  readonly algorithm: Algorithm;
  readonly userHandle: string;
  counter: number;
}

/** What is wrong with an answer, for whoever tries how far it gets. */
export interface Wrongs {
  readonly origin?: string;
  readonly rpId?: string;
  /** Nobody was asked who holds the device. */
  readonly isUnverified?: boolean;
  /** Instead of the next one. */
  readonly counter?: number;
  readonly type?: string;
  /** Of a new passkey: one that another has already. */
  readonly id?: Buffer;
  readonly userHandle?: string;
  /** Of the attestation of a new passkey. */
  readonly format?: string;
}

/** As the script of a page puts them into its form. */
export type SignedFields = Readonly<Record<string, string>>;

interface Told {
  readonly challenge: string;
  readonly rpId?: string;
  readonly rp?: { readonly id: string };
  readonly user?: { readonly id: string };
}

/** The other end: a device with passkeys and the browser around it, in software. */
export class SoftAuthenticator {
  readonly #origin: string;
  readonly #counts: boolean;
  readonly kept: Kept[] = [];

  /** Devices that hand their passkeys on do not count: their counter stays 0. */
  constructor(origin: string, { counts = true }: { readonly counts?: boolean } = {}) {
    this.#origin = origin;
    this.#counts = counts;
  }

  /** What `navigator.credentials.create` brings. */
  create(options: object, wrongs: Wrongs = {}, algorithm: Algorithm = "ES256"): SignedFields {
    const told = options as Told;
    const { publicKey, privateKey } = newKeys(algorithm);
    const id = wrongs.id ?? randomBytes(16);
    this.kept.push({
      id,
      key: privateKey,
      algorithm,
      userHandle: told.user?.id ?? "",
      counter: 0,
    });
    const length = Buffer.from([id.length >> 8, id.length & 0xff]);
    const attested = Buffer.concat([Buffer.alloc(16), length, id, coseKey(publicKey, algorithm)]);
    const flags = (wrongs.isUnverified === true ? 0x01 : 0x05) | 0x40;
    const data = dataOf(wrongs.rpId ?? told.rp?.id ?? "", flags, wrongs.counter ?? 0, attested);
    const attestation = cborMap([
      [cborText("fmt"), cborText(wrongs.format ?? "none")],
      [cborText("attStmt"), cborMap([])],
      [cborText("authData"), cborBytes(data)],
    ]);
    return {
      credentialId: id.toString("base64url"),
      clientData: this.#clientData("webauthn.create", told, wrongs).toString("base64url"),
      attestation: attestation.toString("base64url"),
    };
  }

  /** What `navigator.credentials.get` brings, of the newest passkey or the one that is given. */
  get(options: object, wrongs: Wrongs = {}, passkey = this.kept.at(-1)): SignedFields {
    const told = options as Told;
    if (passkey === undefined) throw new Error("there is no passkey");
    if (this.#counts) passkey.counter = wrongs.counter ?? passkey.counter + 1;
    const flags = wrongs.isUnverified === true ? 0x01 : 0x05;
    const data = dataOf(wrongs.rpId ?? told.rpId ?? "", flags, passkey.counter, Buffer.alloc(0));
    const clientData = this.#clientData("webauthn.get", told, wrongs);
    const hash = createHash("sha256").update(clientData).digest();
    const digest = passkey.algorithm === "EdDSA" ? null : "sha256";
    return {
      credentialId: passkey.id.toString("base64url"),
      clientData: clientData.toString("base64url"),
      authenticatorData: data.toString("base64url"),
      signature: sign(digest, Buffer.concat([data, hash]), passkey.key).toString("base64url"),
      userHandle: wrongs.userHandle ?? passkey.userHandle,
    };
  }

  #clientData(type: string, { challenge }: Told, wrongs: Wrongs): Buffer {
    const origin = wrongs.origin ?? this.#origin;
    return Buffer.from(
      JSON.stringify({ type: wrongs.type ?? type, challenge, origin, crossOrigin: false }),
    );
  }
}

function newKeys(algorithm: Algorithm) {
  if (algorithm === "EdDSA") return generateKeyPairSync("ed25519");
  if (algorithm === "RS256") return generateKeyPairSync("rsa", { modulusLength: 2_048 });
  return generateKeyPairSync("ec", { namedCurve: "P-256" });
}

function dataOf(rpId: string, flags: number, counter: number, rest: Buffer): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  const hash = createHash("sha256").update(rpId).digest();
  return Buffer.concat([hash, Buffer.from([flags]), count, rest]);
}

/** A public key as authenticators write it. */
function coseKey(key: KeyObject, algorithm: Algorithm): Buffer {
  const jwk = key.export({ format: "jwk" });
  const part = (text: string | undefined) => cborBytes(Buffer.from(text ?? "", "base64url"));
  const entry = (label: number, value: Buffer) => [cborInteger(label), value] as const;
  if (algorithm === "RS256")
    return cborMap([
      entry(1, cborInteger(3)),
      entry(3, cborInteger(-257)),
      entry(-1, part(jwk.n)),
      entry(-2, part(jwk.e)),
    ]);
  const isEdwards = algorithm === "EdDSA";
  return cborMap([
    entry(1, cborInteger(isEdwards ? 1 : 2)),
    entry(3, cborInteger(isEdwards ? -8 : -7)),
    entry(-1, cborInteger(isEdwards ? 6 : 1)),
    entry(-2, part(jwk.x)),
    ...(isEdwards ? [] : [entry(-3, part(jwk.y))]),
  ]);
}

function cborHead(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 0x100) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 0xff]);
}

function cborInteger(value: number): Buffer {
  return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value);
}

function cborText(text: string): Buffer {
  return Buffer.concat([cborHead(3, text.length), Buffer.from(text)]);
}

function cborBytes(bytes: Buffer): Buffer {
  return Buffer.concat([cborHead(2, bytes.length), bytes]);
}

function cborMap(entries: readonly (readonly [Buffer, Buffer])[]): Buffer {
  return Buffer.concat([cborHead(5, entries.length), ...entries.flat()]);
}
