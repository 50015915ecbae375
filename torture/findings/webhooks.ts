import { Company } from "./company.ts";
import { type Finding, good } from "./finding.ts";
import { employ } from "./person.ts";

export const webhookFindings: readonly Finding[] = [
  {
    name: "17a a test event without a key",
    promise: "Whoever asks for a test event while no key can sign it is told so.",
    reproduce: async (site) => {
      const company = await Company.make(site, "Keyless");
      const owner = await employ(site, company.id, "owner", "owner@keyless.example");
      const list = "/console/developers/webhooks";
      const fields = { topic: "charge/events", url: "http://127.0.0.1:9/" };
      await owner.submit(list, list, fields);
      const { text } = await owner.browser.get(list);
      const [hook] = text.match(/\/console\/developers\/webhooks\/[0-9a-f-]{36}/) ?? [];
      if (hook === undefined) throw new Error("a webhook cannot be made");
      const listed = await site.run(["key", "list", company.id, "--json"]);
      for (const id of new Set(listed.stdout.match(/\bkey_\w+/g)))
        await site.run(["key", "revoke", id, "--yes", "--json"]);
      const token = await owner.formToken();
      const { status } = await owner.browser.post(`${hook}/test`, new URLSearchParams({ token }));
      return [good(status === 303, `a test event without a key: ${status}`)];
    },
  },
];
