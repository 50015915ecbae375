import { once } from "node:events";
import { connect } from "node:net";
import type { Attack } from "../attack.ts";
import { get, hammer } from "../hammer.ts";

const announcements = 64;

/** Announces batches of the largest size there is, many at once, and sends nothing of them. */
const announcedBodies: Attack = {
  name: "large bodies that never come",
  async run({ ground, attacker, signal }) {
    const { hostname, port } = new URL(ground.url);
    const head =
      `POST /v1/transactions/batch HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${attacker.accessToken}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${16 * 1_024 * 1_024}\r\n\r\n`;
    const sockets = Array.from({ length: announcements }, () => {
      const socket = connect(Number(port), hostname, () => socket.write(`${head}{`));
      socket.on("error", () => {});
      socket.resume();
      return socket;
    });
    if (!signal.aborted) await once(signal, "abort");
    for (const socket of sockets) socket.destroy();
    return { requests: announcements, findings: [] };
  },
};

export const connectionAttacks = [
  announcedBodies,
  hammer({
    name: "wrong tokens",
    callers: 8,
    statuses: [401, 429],
    request: (_target, count) => get("/v1/balance", `at_${String(count).padStart(43, "x")}`),
  }),
  hammer({ name: "metrics", callers: 50, statuses: [200], request: () => get("/metrics") }),
  hammer({ name: "readiness", callers: 50, statuses: [200], request: () => get("/readyz") }),
];
