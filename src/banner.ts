import type { Config } from "./config.ts";
import type { DemoCompany } from "./demo-company.ts";

/** What a newcomer reads when the service is up: where it is, who they are, and lines to paste. */
export function bannerOf(config: Config, url: string, demo: DemoCompany | undefined): string {
  const lines = ["", `Cauri is ready at ${url}  (${config.environment})`];
  if (config.environment === "production" || demo === undefined) return `${lines.join("\n")}\n\n`;

  if (demo.isNew) {
    lines.push(
      "",
      "A demo company was made for you, with 10 000 000 XOF on its account. Its keys are shown this once:",
      `  company id    ${demo.companyId}`,
      `  access token  ${demo.accessToken}`,
      `  secret key    ${demo.secretKey}`,
      `They are kept in ${demo.path}, readable by you alone.`,
    );
    if (demo.people !== undefined)
      lines.push(
        "",
        "The console, for people: each chooses a password at an address, which is good once and for a week. What the",
        "owner asks for, the approver lets go: open the second one in another browser, or in a private window.",
        ...demo.people.map(({ role, link }) => `  ${role.padEnd(9)} ${url}${link}`),
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
  const headers = `-H "Authorization: Bearer $CAURI_TOKEN"`;
  const jsonHeaders = `${headers} -H 'Content-Type: application/json'`;
  lines.push(
    "",
    "In a second terminal, in this folder: a transfer, and the webhook that tells how it ended:",
    `  . ${toShellWord(demo.shellPath)}`,
    "  node sdk/examples/first-transfer.mjs",
    "",
    "By hand, in the same terminal. Send a transfer:",
    `  curl -s $CAURI_URL/v1/transactions ${jsonHeaders} \\`,
    `    -d '{"type":"transfer","amount":5000,"msisdn":"${config.testMsisdns?.success ?? ""}","reference":"'"first-$(date +%s)"'"}'`,
    "",
    "See what became of it:",
    `  curl -s "$CAURI_URL/v1/transactions?limit=1" ${headers}`,
    "",
    "And what is left on the account:",
    `  curl -s $CAURI_URL/v1/balance ${headers}`,
    "",
    "Ask to be paid:",
    `  curl -s $CAURI_URL/v1/charges ${jsonHeaders} \\`,
    `    -d '{"amount":25000,"externalId":"'"order-$(date +%s)"'","description":"Two boubous","onCompletedRedirectionUrl":"https://example.com/thanks","onCanceledRedirectionUrl":"https://example.com/cart"}'`,
    "",
    "Open its payment page, at the address this prints, and pay with a test number (the code is on the page):",
    `  curl -s "$CAURI_URL/v1/charges?limit=1" ${headers} | node -p 'JSON.parse(require("fs").readFileSync(0)).data[0].paymentUrl'`,
    "",
    "To look around:",
    `  ${url}/docs         the reference of the API, with forms to try it`,
    `  ${url}/docs/guides  one task each: a payroll, a payment, webhooks, refunds`,
    `  ${url}/console      the console, for the people of a business`,
    `  ${url}/wallet       what a recipient sees`,
    `  ${url}/             all of these, and more`,
    "",
    "Stop with Ctrl-C.",
    "",
  );
  return `${lines.join("\n")}\n`;
}

/** A path as one word of a shell, and as a path: without a slash the shell would look for it elsewhere. */
function toShellWord(path: string): string {
  const named = path.includes("/") ? path : `./${path}`;
  return /^[\w./@+-]+$/.test(named) ? named : `'${named.replaceAll("'", `'\\''`)}'`;
}
