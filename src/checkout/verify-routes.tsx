import type { FastifyReply, FastifyRequest } from "fastify";
import { BodyBytes } from "../http/body-bytes.ts";
import { Places } from "../http/places.ts";
import type { App } from "../http/server.ts";
import { Overloaded } from "../kernel/errors.ts";
import { networkOf } from "../kernel/network-of.ts";
import { withoutSlashes } from "../kernel/without-slashes.ts";
import type { PageSettings } from "../pages/page-settings.ts";
import { type ReadUpload, readUpload, takeUploads, UploadRoom } from "../pages/uploads.ts";
import { verifyPath as path } from "../statements/export/export-statement.ts";
import type { PublicLedgerKey } from "../statements/seal.ts";
import { type VerifyAnswer, verifyInThread } from "../statements/verify/verify-in-thread.ts";
import { FileTooLarge } from "./errors.ts";
import { frameOf, sendFramed } from "./frame-of.ts";
import { VerifiedPage, VerifyPage } from "./views/verify-page.tsx";

export interface VerifyRoutesOptions {
  readonly settings: PageSettings;
  readonly readLedgerKeys: () => Promise<readonly PublicLedgerKey[]>;
  readonly mayVerify: (request: FastifyRequest) => Promise<boolean>;
  readonly refuseBusy: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
}

const fileBytesMax = 10 * 1024 * 1024;
const keptBytesMax = 256 * 1024;
/** Of strangers' files that are on their way or wait to be read: nobody else's memory. One network may have the half. */
const uploadBytes = new BodyBytes({ bytesMax: 3 * fileBytesMax, share: 1 / 2 });
const places = new Places({
  perHolderMax: 1,
  perNodeMax: 4,
  refuse: () => new Overloaded(),
});

/** Whether a file is as the operator exported it, for whoever has one. Nothing is kept, and nobody is asked who they are. */
export async function verifyRoutes(
  scope: App,
  { settings, readLedgerKeys, mayVerify, refuseBusy }: VerifyRoutesOptions,
): Promise<void> {
  takeUploads(scope);
  const hidden = { schema: { hide: true } };

  scope.get(path, hidden, async (request, reply) => {
    const frame = frameOf(settings, request, path);
    return sendFramed(request, reply, frame, <VerifyPage frame={frame} />);
  });

  scope.post(path, hidden, async (request, reply) => {
    if (!(await mayVerify(request))) return refuseBusy(request, reply);
    const frame = frameOf(settings, request, path);
    const showRefusal = (refused: keyof typeof frame.words.verify.refused, status: number) =>
      sendFramed(request, reply, frame, <VerifyPage frame={frame} refused={refused} />, status);
    let isOwnKey = true;
    try {
      const answer = await withUpload(request, async (upload) => {
        const file = upload.files.get("file");
        if (file === undefined || file.bytes.length === 0) return undefined;
        const kept = upload.fields.get("kept")?.trim() || undefined;
        isOwnKey = kept === undefined;
        const bytes = new Uint8Array(file.bytes);
        return verifyInThread({ name: file.name, bytes, kept, keys: await readLedgerKeys() });
      });
      if (answer === undefined) return await showRefusal("none", 400);
      if ("refused" in answer) return await showRefusal(answer.refused, 422);
      const address = `${withoutSlashes(settings.publicUrl)}${path}`;
      const page = (
        <VerifiedPage frame={frame} found={answer.found} isOwnKey={isOwnKey} address={address} />
      );
      return await sendFramed(request, reply, frame, page);
    } catch (error) {
      if (error instanceof FileTooLarge) return showRefusal("size", 413);
      if (error instanceof Overloaded) return showRefusal("busy", 503);
      throw error;
    }
  });
}

/** A form takes its place when all of it is there, and a network has one: whoever sends slowly holds up nobody. */
async function withUpload(
  request: FastifyRequest,
  work: (upload: ReadUpload) => Promise<VerifyAnswer | undefined>,
): Promise<VerifyAnswer | undefined> {
  const network = networkOf(request.ip);
  const room = new UploadRoom(uploadBytes, network, () => new Overloaded());
  try {
    const upload = await readUpload(request, {
      filesMax: 1,
      fileBytesMax,
      fieldBytesMax: keptBytesMax,
      take: (bytes) => room.take(bytes),
      tooLarge: () => new FileTooLarge(),
    });
    const leave = places.take(network);
    try {
      return await work(upload);
    } finally {
      leave();
    }
  } finally {
    room.giveBack();
  }
}
