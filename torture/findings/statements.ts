import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import type { Site } from "../cost/site.ts";
import { Company } from "./company.ts";
import { type Finding, good } from "./finding.ts";

/** What `verify` says to somebody who was sent a file. */
export const statementFindings: readonly Finding[] = [
  {
    name: "10 verified by anybody's key",
    promise:
      "A file that names the key it was signed with is not VERIFIED by that alone: anybody can make one.",
    reproduce: async (site) => {
      const company = await Company.make(site, "Exports");
      const outcomes = [];
      for (const kind of ["csv", "xlsx", "pdf"]) {
        const file = join(site.folder, `export.${kind}`);
        await writeFile(file, await download(site, company, kind));
        const { code, stdout } = await site.run(["verify", file]);
        const [said = ""] = stdout.split("\n", 1);
        const isBelieved = code === 0 || said.startsWith("VERIFIED");
        outcomes.push(
          good(!isBelieved, `${kind} without a key: ${said.slice(0, 40)}, exit ${code}`),
        );
      }
      return outcomes;
    },
  },
  {
    name: "12 a workbook with two first sheets",
    promise: "A workbook is VERIFIED only when every byte of it is as it was exported.",
    reproduce: async (site) => {
      const company = await Company.make(site, "Workbooks");
      const keys = join(site.folder, "keys.json");
      const published = await fetch(`${site.url}/.well-known/cauri-ledger.json`);
      await writeFile(keys, await published.text());
      const genuine = await download(site, company, "xlsx");
      const verify = async (name: string, content: Buffer) => {
        const file = join(site.folder, `${name}.xlsx`);
        await writeFile(file, content);
        const { code, stdout } = await site.run(["verify", file, "--key", keys]);
        return { code, said: `${stdout.split("\n", 1)[0]?.slice(0, 40)}, exit ${code}` };
      };
      const [real, hidden, commented] = [
        await verify("genuine", genuine),
        await verify("hidden", withHiddenPart(genuine)),
        await verify("commented", withComment(genuine)),
      ];
      return [
        good(real.code === 0, `as it was exported: ${real.said}`),
        good(hidden.code !== 0, `with a hidden first sheet: ${hidden.said}`),
        good(commented.code !== 0, `with more of a comment: ${commented.said}`),
      ];
    },
  },
];

async function download(site: Site, { token }: Company, kind: string): Promise<Buffer> {
  const response = await fetch(`${site.url}/v1/statement.${kind}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  if (!response.ok) throw new Error(`no statement as ${kind}: ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}

const endStart = Buffer.from("PK\u0005\u0006");
const directoryEntryBytes = 46;

/** Another sheet in front, which the directory does not name: whoever reads from the beginning finds it first. */
function withHiddenPart(archive: Buffer): Buffer {
  const name = Buffer.from("xl/worksheets/sheet1.xml");
  const content = Buffer.from("<worksheet><sheetData/></worksheet>");
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x0403_4b50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt32LE(crc32(content), 14);
  header.writeUInt32LE(content.length, 18);
  header.writeUInt32LE(content.length, 22);
  header.writeUInt16LE(name.length, 26);
  const part = Buffer.concat([header, name, content]);
  const moved = Buffer.concat([part, archive]);
  const end = moved.lastIndexOf(endStart);
  const directory = moved.readUInt32LE(end + 16) + part.length;
  moved.writeUInt32LE(directory, end + 16);
  for (let at = directory; at < end; ) {
    moved.writeUInt32LE(moved.readUInt32LE(at + 42) + part.length, at + 42);
    const lengths = [28, 30, 32].map((place) => moved.readUInt16LE(at + place));
    at += lengths.reduce((sum, length) => sum + length, directoryEntryBytes);
  }
  return moved;
}

function withComment(archive: Buffer): Buffer {
  const comment = Buffer.from("approved");
  const commented = Buffer.concat([archive, comment]);
  const place = archive.lastIndexOf(endStart) + 20;
  commented.writeUInt16LE(archive.readUInt16LE(place) + comment.length, place);
  return commented;
}
