import { setTimeout as sleep } from "node:timers/promises";

const pollMs = 50;

/** Waits until a service says that it is ready; a finding when it does not in time. */
export async function untilReady(url: string, limitMs: number): Promise<string[]> {
  const deadline = performance.now() + limitMs;
  while (performance.now() < deadline) {
    if (await isReady(url, limitMs)) return [];
    await sleep(pollMs);
  }
  return [`the service was not ready again after ${limitMs} ms`];
}

export async function isReady(url: string, limitMs: number): Promise<boolean> {
  try {
    const { ok } = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(limitMs) });
    return ok;
  } catch {
    return false;
  }
}
