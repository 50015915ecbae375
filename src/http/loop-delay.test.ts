import { expect, onTestFinished, vi } from "vitest";
import { startService, test } from "../../test/fixtures.ts";

test("503: a node whose event loop is behind refuses at once and says so; whoever watches it is still answered", async ({
  db,
  company,
}) => {
  const service = await startService(db, { EVENT_LOOP_DELAY_MAX_MS: "25" });
  onTestFinished(() => service.stop());
  const look = (path: string) =>
    fetch(service.url + path, { headers: { authorization: `Bearer ${company.accessToken}` } });
  const busy = setInterval(() => {
    const untilMs = performance.now() + 60;
    while (performance.now() < untilMs);
  }, 1);
  onTestFinished(() => clearInterval(busy));

  const refused = await vi.waitFor(
    async () => {
      const response = await look("/v1/balance");
      expect(response.status).toBe(503);
      return response;
    },
    { timeout: 30_000, interval: 100 },
  );
  expect(await refused.json()).toMatchObject({ code: "overloaded" });
  expect(refused.headers.get("retry-after")).not.toBeNull();
  expect((await look("/healthz")).status).toBe(200);

  clearInterval(busy);
  const goesOn = async () => expect((await look("/v1/balance")).status).toBe(200);
  await vi.waitFor(goesOn, { timeout: 30_000, interval: 100 });
});
