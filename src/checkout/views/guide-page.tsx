import { Document } from "./document.tsx";
import type { Frame } from "./frame.ts";

/** The shortest way from a token to being paid, for whoever connects a shop; everything else is in the API's description. */
export function GuidePage({
  frame,
  url,
  brand,
}: {
  readonly frame: Frame;
  readonly url: string;
  readonly brand: string;
}) {
  const { words, href } = frame;
  const { guide } = words;
  const examples: readonly (readonly [string, string, string])[] = [
    [
      guide.token,
      guide.tokenWhat,
      `curl ${url}/v1/balance -H "Authorization: Bearer $CAURI_TOKEN"`,
    ],
    [
      guide.charge,
      guide.chargeWhat,
      post(url, "charges", {
        amount: 25_000,
        externalId: "order-417",
        description: "Deux boubous",
        onCompletedRedirectionUrl: "https://shop.example/thanks",
        onCanceledRedirectionUrl: "https://shop.example/cart",
      }),
    ],
    [
      guide.transfer,
      guide.transferWhat,
      post(url, "transactions", {
        type: "transfer",
        amount: 5_000,
        msisdn: `${frame.place.country.callingCode}${frame.place.country.example.replaceAll(" ", "")}`,
        reference: "salary-0142",
      }),
    ],
    [
      guide.webhook,
      guide.webhookWhat,
      `${post(url, "webhooks", { topic: "charge/events", url: "https://shop.example/hook" })}\n\nx-${brand}-hmac-sha256: base64(HMAC-SHA256($CAURI_SECRET_KEY, body))`,
    ],
  ];
  return (
    <Document frame={frame} title={guide.title}>
      <h1>{guide.title}</h1>
      {examples.map(([title, what, example]) => (
        <section key={title} class="stack">
          <h2>{title}</h2>
          <p>{what}</p>
          <pre>{example}</pre>
        </section>
      ))}
      <p>{guide.more}</p>
      <a class="button" href={href("/docs")}>
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

function post(url: string, resource: string, body: object): string {
  return [
    `curl ${url}/v1/${resource} -H "Authorization: Bearer $CAURI_TOKEN" \\`,
    `  -H "Content-Type: application/json" -d '${JSON.stringify(body, null, 1).replaceAll(/\n\s*/g, " ")}'`,
  ].join("\n");
}
