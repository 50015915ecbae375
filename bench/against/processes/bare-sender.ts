import { once } from "node:events";
import { Pool } from "undici";

// What an HTTP client alone can do on this machine, in a process of its own: the same notification again and
// again, over as many connections as the service opens, and nothing else.

export interface Order {
  readonly urls: readonly string[];
  readonly connectionsPerUrl: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly count: number;
}

const [order] = (await once(process, "message")) as [Order];
let left = order.count;

await Promise.all(
  order.urls.map(async (text) => {
    const { origin, pathname: path } = new URL(text);
    const pool = new Pool(origin, { connections: order.connectionsPerUrl });
    const sendInTurn = async () => {
      while (left > 0) {
        left -= 1;
        const { headers, body } = order;
        const answer = await pool.request({ path, method: "POST", headers, body });
        await answer.body.dump();
      }
    };
    await Promise.all(Array.from({ length: order.connectionsPerUrl }, sendInTurn));
    await pool.close();
  }),
);
process.disconnect();
