import type { FastifyReply } from "fastify";
import type { App } from "../../http/server.ts";
import { headerLinesOf, readHeaderLine } from "../../webhooks/signature-headers.ts";
import type { ScreenContext } from "../context.ts";
import type { ConsoleParts } from "../parts.ts";
import { action, screen } from "../screen.ts";
import { signatureWords } from "../words/signature.ts";
import { checkSignature, choosableKeys, type Finding } from "./check-signature.ts";
import { type Pasted, SignatureView } from "./signature-view.tsx";

const path = "/console/developers/signature";
const may = "webhooks.manage";
/** A form writes many characters as three: this is more than a notification ever is. */
const formBytesMax = 256 * 1_024;
const shownLineMax = 60;
const nothing: Pasted = { body: "", headers: "", key: "" };

/** Says whether what a receiver got is signed by us, and if not, why. Nothing of it is written down anywhere. */
export function signatureScreens(app: App, parts: ConsoleParts): void {
  screen(app, parts, path, { may }, (context) => show(parts, context, nothing));

  action(app, parts, path, { may, proof: "none", bytesMax: formBytesMax }, async (context) => {
    const { form, company, language } = context;
    const words = signatureWords[language];
    const typed = (name: string) => form.get(name) ?? "";
    // A form ends its lines with two characters, whatever was pasted.
    const body = typed("body").replaceAll("\r\n", "\n");
    const pasted: Pasted = { body, headers: typed("headers"), key: typed("key") };
    const keys = await choosableKeys(parts, company.id);
    const lines = headerLinesOf(pasted.headers.trim());
    const wrong = lines.find((line) => readHeaderLine(line) === undefined);
    const problems = {
      ...(body === "" ? { body: words.bodyProblem } : {}),
      ...(wrong === undefined
        ? {}
        : { headers: words.headerProblem(wrong.slice(0, shownLineMax)) }),
      ...(pasted.key === "" || keys.some(({ id }) => id === pasted.key)
        ? {}
        : { key: words.keyProblem }),
    };
    if (Object.keys(problems).length > 0) return show(parts, context, { ...pasted, problems });
    const headers = Object.fromEntries(lines.flatMap((line) => [readHeaderLine(line) ?? []]));
    const finding = await checkSignature(parts, company.id, { body, headers }, keys, pasted.key);
    return show(parts, context, pasted, finding);
  });
}

async function show(
  parts: ConsoleParts,
  context: ScreenContext,
  pasted: Pasted,
  finding?: Finding,
): Promise<FastifyReply> {
  const words = signatureWords[context.language];
  const keys = await choosableKeys(parts, context.company.id);
  return context.send({
    title: words.title,
    content: (
      <SignatureView
        context={context}
        words={words}
        keys={keys}
        pasted={pasted}
        finding={finding}
      />
    ),
    ...(pasted.problems === undefined ? {} : { status: 422, isProblem: true }),
  });
}
