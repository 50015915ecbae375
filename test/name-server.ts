import { createSocket } from "node:dgram";
import { once } from "node:events";
import { isIPv6 } from "node:net";
import { onTestFinished } from "vitest";

/** What a name server says of a name: addresses, another name, or nothing at all. */
export type NameAnswer = readonly string[] | { readonly alias: string } | "silence";

const types = { a: 1, cname: 5, aaaa: 28 } as const;
const headerBytes = 12;
const classInternet = 1;
/** Points to the name in the question. */
const sameName = Buffer.from([0xc0, headerBytes]);
const answered = 0x8180;
const noSuchName = 0x8183;

export interface NameServer {
  /** As a resolver takes it: with its port. */
  readonly address: string;
  /** The names that were asked for, in order, once for each kind of address. */
  readonly asked: string[];
}

/** A real name server on loopback whose owner is not honest: it says what it is told to, and may change its mind each time. */
export async function startNameServer(
  answerFor: (name: string) => NameAnswer | undefined,
): Promise<NameServer> {
  const socket = createSocket("udp4");
  const asked: string[] = [];
  socket.on("message", (message, { port, address }) => {
    const { name, type, question } = readQuestion(message);
    asked.push(name);
    const answer = answerFor(name);
    if (answer === "silence") return;
    const records = answer === undefined ? [] : recordsOf(answer, type, answerFor);
    const header = Buffer.alloc(headerBytes);
    message.copy(header, 0, 0, 2);
    header.writeUInt16BE(answer === undefined ? noSuchName : answered, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    socket.send(Buffer.concat([header, question, ...records]), port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  onTestFinished(() => void socket.close());
  return { address: `127.0.0.1:${socket.address().port}`, asked };
}

function readQuestion(message: Buffer) {
  const labels: string[] = [];
  let at = headerBytes;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString("latin1", at + 1, at + 1 + length));
    at += length + 1;
  }
  return {
    name: labels.join(".").toLowerCase(),
    type: message.readUInt16BE(at + 1),
    question: message.subarray(headerBytes, at + 5),
  };
}

function recordsOf(
  answer: Exclude<NameAnswer, "silence">,
  type: number,
  answerFor: (name: string) => NameAnswer | undefined,
  owner: Buffer = sameName,
): Buffer[] {
  if (!("alias" in answer))
    return answer
      .filter((address) => type === (isIPv6(address) ? types.aaaa : types.a))
      .map((address) => toRecord(owner, type, toBytes(address)));
  const alias = toLabels(answer.alias);
  const next = answerFor(answer.alias);
  const rest =
    next === undefined || next === "silence" ? [] : recordsOf(next, type, answerFor, alias);
  return [toRecord(owner, types.cname, alias), ...rest];
}

/** With a time to live of 0: nobody may keep it. */
function toRecord(owner: Buffer, type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(10);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(classInternet, 2);
  head.writeUInt16BE(data.length, 8);
  return Buffer.concat([owner, head, data]);
}

function toLabels(name: string): Buffer {
  const labels = name
    .split(".")
    .map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`, "latin1"));
  return Buffer.concat([...labels, Buffer.from([0])]);
}

/** The URL parser writes an IPv6 address in full groups of hexadecimal digits, but for one "::". */
function toBytes(address: string): Buffer {
  if (!isIPv6(address)) return Buffer.from(address.split(".").map(Number));
  const [before = "", after] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const groups = (text: string) => (text === "" ? [] : text.split(":"));
  const [left, right] = [groups(before), groups(after ?? "")];
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => "0");
  return Buffer.from(
    [...left, ...zeros, ...right].map((group) => group.padStart(4, "0")).join(""),
    "hex",
  );
}
