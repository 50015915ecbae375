import { Document } from "./document.tsx";
import type { Frame } from "./frame.ts";

/** The installation's own address: whose it is, and where to go from here. */
export function HomePage({ frame }: { readonly frame: Frame }) {
  const { words, operator, href } = frame;
  return (
    <Document frame={frame} title={operator.name}>
      <h1>{operator.name}</h1>
      <p>{words.home.what(operator.name)}</p>
      <h2>{words.home.people}</h2>
      <a class="button" href={href("/wallet")}>
        {words.home.wallet}
      </a>
      <p class="soft">{words.home.link}</p>
      <h2>{words.home.businesses}</h2>
      <a class="button second" href={href("/console")}>
        {words.home.console}
      </a>
      <a class="button second" href={href("/verify")}>
        {words.verify.home}
      </a>
      <h2>{words.home.developers}</h2>
      <a class="button second" href={href("/guide")}>
        {words.home.guide}
      </a>
      <a class="button second" href={href("/docs")}>
        {words.home.reference}
      </a>
      <a class="button second" href={href("/docs/guides")}>
        {words.home.guides}
      </a>
      <a class="button second" href={href("/openapi.json")}>
        {words.home.api}
      </a>
    </Document>
  );
}
