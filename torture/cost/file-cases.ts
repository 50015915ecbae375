import { type Case, send } from "./case.ts";
import { csvShapes, type FileShape, workbookShapes } from "./file-shapes.ts";

/** As large as a file may be, and as a workbook may be when it is unpacked. */
const csvMost = 10_000_000;
const workbookMost = 60_000_000;
const boundary = "----cost";

/** Files that are uploaded; the page that shows what was made of one belongs to it. */
export function fileCases(): Case[] {
  return [
    ...csvShapes.map((shape) => uploading(shape, csvMost)),
    ...workbookShapes.map((shape) => uploading(shape, workbookMost)),
  ];
}

function uploading(shape: FileShape, most: number): Case {
  return {
    name: `an upload, ${shape.name}`,
    most,
    prepare: async ({ owner }, length) => {
      const file = await shape.make(length);
      const { cookie, formToken } = owner;
      const token = encodeURIComponent(formToken);
      const body = Buffer.concat([
        Buffer.from(
          `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${shape.fileName}"\r\n\r\n`,
        ),
        file,
        Buffer.from(`\r\n--${boundary}--\r\n`),
      ]);
      return async (wire) => {
        const uploaded = await send(wire, {
          method: "POST",
          target: `/console/payroll/upload?token=${token}`,
          headers: { cookie, "content-type": `multipart/form-data; boundary=${boundary}` },
          body,
        });
        const { location } = uploaded;
        if (!location.includes("/drafts/")) return uploaded;
        const shown = await send(wire, { method: "GET", target: location, headers: { cookie } });
        await send(wire, {
          method: "POST",
          target: `${location}/discard`,
          headers: { cookie, "content-type": "application/x-www-form-urlencoded" },
          body: `token=${token}`,
        });
        return shown;
      };
    },
  };
}
