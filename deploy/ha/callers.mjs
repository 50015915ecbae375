// callers.mjs URL TOKEN NAME FILE: four callers send one transfer after the other until SIGTERM, and write a line for each answer: when it
// was (ms), its reference, its status (0: none came). What is not acknowledged is not sent again.
import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const [url, token, name, file] = process.argv.slice(2);
const callers = 4;
const pauseMs = 20;
const patienceMs = 60_000;
let sent = 0;
const end = new AbortController();
process.once("SIGTERM", () => end.abort());

async function pay(reference) {
  try {
    const response = await fetch(`${url}/v1/transactions`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ type: "transfer", amount: 5_000, msisdn: "2250700000000", reference }),
      signal: AbortSignal.timeout(patienceMs),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}

async function call() {
  while (!end.signal.aborted) {
    sent += 1;
    const reference = `${name}-${sent}`;
    const status = await pay(reference);
    appendFileSync(file, `${Date.now()} ${reference} ${status}\n`);
    await sleep(pauseMs);
  }
}

await Promise.all(Array.from({ length: callers }, call));
