import type { Config } from "./config.ts";
import type { DemoCompany } from "./demo-company.ts";

/** What a newcomer reads when the service is up: where it is, who they are, and lines to paste. */
export function bannerOf(config: Config, url: string, demo: DemoCompany | undefined): string {
  const lines = ["", `Cauri is ready at ${url}  (${config.environment})`];
  if (config.environment === "production" || demo === undefined) return `${lines.join("\n")}\n\n`;

  const token = demo.isNew
    ? demo.accessToken
    : `$(node -p "require('${toRequirable(demo.path)}').accessToken")`;
  if (demo.isNew) {
    lines.push(
      "",
      "A demo company was made for you, with 10 000 000 XOF on its account. Its keys are shown this once:",
      `  company id    ${demo.companyId}`,
      `  access token  ${demo.accessToken}`,
      `  secret key    ${demo.secretKey}`,
      `They are kept in ${demo.path}, readable by you alone.`,
    );
  } else {
    lines.push("", `The demo company's keys are in ${demo.path}.`);
  }
  if (config.testMsisdns !== undefined) {
    lines.push(
      "",
      "Test numbers (staging only):",
      `  ${config.testMsisdns.success}  every transfer to it is completed, every payment from it goes through`,
      `  ${config.testMsisdns.failure}  every transfer to it and every payment from it fails`,
    );
  }
  lines.push(
    "",
    "Send a transfer:",
    `  curl -s ${url}/v1/transactions -H "Authorization: Bearer ${token}" -H 'Content-Type: application/json' \\`,
    `    -d '{"type":"transfer","amount":5000,"msisdn":"${config.testMsisdns?.success ?? ""}","reference":"'"first-$(date +%s)"'"}'`,
    "",
    "See what became of it:",
    `  curl -s "${url}/v1/transactions?limit=1" -H "Authorization: Bearer ${token}"`,
    "",
    "And what is left on the account:",
    `  curl -s ${url}/v1/balance -H "Authorization: Bearer ${token}"`,
    "",
    "Ask to be paid:",
    `  curl -s ${url}/v1/charges -H "Authorization: Bearer ${token}" -H 'Content-Type: application/json' \\`,
    `    -d '{"amount":25000,"externalId":"'"order-$(date +%s)"'","description":"Two boubous","onCompletedRedirectionUrl":"https://example.com/thanks","onCanceledRedirectionUrl":"https://example.com/cart"}'`,
    "",
    "Open its payment page, at the address this prints, and pay with a test number (the code is on the page):",
    `  curl -s "${url}/v1/charges?limit=1" -H "Authorization: Bearer ${token}" | node -p 'JSON.parse(require("fs").readFileSync(0)).data[0].paymentUrl'`,
    "",
    `A recipient's own view is at ${url}/wallet. The API is described at ${url}/openapi.json. Stop with Ctrl-C.`,
    "",
  );
  return `${lines.join("\n")}\n`;
}

function toRequirable(path: string): string {
  return path.startsWith("/") ? path : `./${path.replace(/^\.\//, "")}`;
}
