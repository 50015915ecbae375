import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Language, Sentence } from "../../kernel/language.ts";
import { inLanguage } from "../../kernel/language.ts";
import { packageRoot } from "../../kernel/root.ts";

export const guidesPath = "/docs/guides";

/** A guide is a file of docs/guides, in English; its title is in both languages, because links to it are. */
export interface Guide {
  readonly name: string;
  readonly title: Sentence;
}

/** In the order in which somebody new would follow them. */
export const guides: readonly Guide[] = [
  {
    name: "first-transfer",
    title: { en: "Your first transfer", fr: "Votre premier virement" },
  },
  {
    name: "payroll",
    title: { en: "A payroll from a spreadsheet", fr: "Une paie depuis un tableur" },
  },
  {
    name: "collect-a-payment",
    title: { en: "Collect a payment", fr: "Encaisser un paiement" },
  },
  {
    name: "receive-webhooks",
    title: { en: "Receive webhooks", fr: "Recevoir les webhooks" },
  },
  { name: "refunds", title: { en: "Refunds", fr: "Les remboursements" } },
  {
    name: "aggregators",
    title: { en: "Aggregators and sub-companies", fr: "Agrégateurs et sous-sociétés" },
  },
  {
    name: "timeouts",
    title: { en: "When a request times out", fr: "Quand une requête reste sans réponse" },
  },
  {
    name: "going-to-production",
    title: { en: "Going to production", fr: "Passer en production" },
  },
];

export interface GuideLink {
  readonly href: string;
  readonly title: string;
}

/** Where the guides are on this installation, in the reader's language. */
export function guideLinks(basePath: string, language: Language): GuideLink[] {
  return guides.map(({ name, title }) => ({
    href: `${basePath}${guidesPath}/${name}?lang=${language}`,
    title: inLanguage(language, title),
  }));
}

export function readGuide(name: string): string {
  return readFileSync(join(packageRoot, "docs/guides", `${name}.md`), "utf8");
}
