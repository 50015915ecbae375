import { Company } from "./company.ts";
import { type Finding, good } from "./finding.ts";
import { employ } from "./person.ts";

/** Turns what follows around, and what nobody sees. */
const unseen = ["\u202e", "\u200b"];

/** What people approve is what they see, and what they see is what was sent. */
export const textFindings: readonly Finding[] = [
  {
    name: "16 characters that nobody sees",
    promise:
      "An approver's page shows characters that turn or hide text, and a reference is one reference however its letters are composed.",
    reproduce: async (site) => {
      const company = await Company.make(site, "Letters");
      await company.set("--keys-alone-max", "0");
      const owner = await employ(site, company.id, "owner", "owner@letters.example");
      const sent = await company.send(`sal${unseen.join("aire")}-1`, 5_000);
      const { status, text } = await owner.browser.get("/console/approvals/held");
      const shown = unseen.filter((character) => text.includes(character));
      const codes = shown.map((character) => `U+${character.charCodeAt(0).toString(16)}`);
      const composed = await company.send("pay\u00e9-2", 5_000);
      const decomposed = await company.send("paye\u0301-2", 5_000);
      const areTwo = composed.status === 201 && decomposed.status === 201;
      return [
        good(status === 200, `the approver's page answers ${status}`),
        good(
          shown.length === 0,
          `a reference is taken (${sent.status}), and the page has as it is: ${codes.join(", ") || "nothing"}`,
        ),
        good(
          !areTwo || idOf(composed.text) === idOf(decomposed.text),
          `one reference composed in two ways: ${composed.status}, ${decomposed.status}`,
        ),
      ];
    },
  },
  {
    name: "17d an amount that is nearly whole",
    promise: "An amount with a fraction is refused, however small the fraction.",
    reproduce: async (site) => {
      const company = await Company.make(site, "Fractions");
      const nearly = await company.send("nearly", "5000.0000000000001");
      const whole = await company.send("whole", "5000");
      return [
        good(whole.status === 201, `5000: ${whole.status}`),
        good(nearly.status === 400, `5000.0000000000001: ${nearly.status}`),
      ];
    },
  },
];

function idOf(text: string): string {
  return (JSON.parse(text) as { id?: string }).id ?? "";
}
