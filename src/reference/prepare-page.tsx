import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import type { Language } from "../kernel/language.ts";
import { packageRoot } from "../kernel/root.ts";
import { GuidePage } from "./guides/guide-page.tsx";
import { guideLinks, guides, guidesPath, readGuide } from "./guides/guides.ts";
import { readMarkdown } from "./guides/read-markdown.ts";
import type { OpenApiDocument } from "./openapi-document.ts";
import { readReference } from "./read-reference.ts";
import { describeTrials } from "./trials.ts";
import type { Frame } from "./views/frame.ts";
import { ReferencePage } from "./views/page.tsx";
import { en } from "./words/en.ts";
import { fr } from "./words/fr.ts";

export type ReferenceSettings = Pick<Frame, "brand" | "basePath" | "testMsisdns">;

/** A page as it is sent, and what goes with it. */
export interface PreparedPage {
  readonly html: Buffer;
  readonly compressed: Buffer;
  /** Names what is in it; the two forms of it have names of their own. */
  readonly fingerprint: string;
  readonly policy: string;
}

const best = 9;

/** Made once, for all readers of a language: nothing on the page depends on who reads it. */
export function preparePage(
  document: OpenApiDocument,
  language: Language,
  settings: ReferenceSettings,
): PreparedPage {
  const words = { en, fr }[language];
  const reference = readReference(document);
  const canTry = settings.testMsisdns !== undefined;
  const styles = readBeside("page.css").replaceAll(/\s+/g, " ");
  const script = readBeside("page.js") + (canTry ? readBeside("try-it.js") : "");
  const trials = canTry ? describeTrials(reference, words, settings.basePath) : undefined;
  const frame = { ...settings, language, words, reference };
  return toPrepared(
    <ReferencePage frame={frame} styles={styles} script={script} trials={trials} />,
    policyOf(styles, script, canTry),
  );
}

/** A guide by its name, or the list of them. It needs no script. */
export function prepareGuide(
  name: string | undefined,
  language: Language,
  { basePath, testMsisdns }: ReferenceSettings,
): PreparedPage {
  const words = { en, fr }[language];
  const styles = (readBeside("page.css") + readBeside("guides/guide.css")).replaceAll(/\s+/g, " ");
  const isTest = testMsisdns !== undefined;
  const frame = { language, words, basePath, isTest, styles };
  const links = guideLinks(basePath, language);
  const guide = guides.find((one) => one.name === name);
  const shown =
    guide === undefined
      ? { path: guidesPath, title: words.guides.title }
      : {
          path: `${guidesPath}/${guide.name}`,
          title: guide.title[language],
          blocks: readMarkdown(readGuide(guide.name)),
        };
  return toPrepared(
    <GuidePage frame={frame} links={links} {...shown} />,
    policyOf(styles, "", false),
  );
}

function toPrepared(page: VNode, policy: string): PreparedPage {
  const html = `<!doctype html>${renderToString(page)}`;
  return {
    html: Buffer.from(html),
    compressed: gzipSync(html, { level: best }),
    fingerprint: createHash("sha256").update(html).digest("base64url").slice(0, 22),
    policy,
  };
}

/** What the browser reads stands beside this file as it is written, in src/ also when the program is built. */
function readBeside(name: string): string {
  return readFileSync(join(packageRoot, "src/reference", name), "utf8");
}

/** The page's own style and script, by their hashes, and nothing else. */
function policyOf(styles: string, script: string, canTry: boolean): string {
  return [
    "default-src 'none'",
    `style-src '${hashOf(styles)}'`,
    ...(script === "" ? [] : [`script-src '${hashOf(script)}'`]),
    "img-src data:",
    ...(canTry ? ["connect-src 'self'"] : []),
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join("; ");
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
