import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { makeServer } from "../failover/make-server.ts";
import { backendFaults } from "./backends.ts";
import { type OnBase, pauseMs } from "./base.ts";

/** One PostgreSQL, which is stopped in every way that it can be. */
export const onOne: OnBase = async (folder, work) => {
  const { server, accounts } = await makeServer(join(folder, "one"));
  const { role, password } = accounts.own;
  await server.start();
  try {
    return await work({
      url: `postgres://${role}:${password}@${server.name}/cauri`,
      faults: [
        ...backendFaults((statement) => server.ask(statement)),
        {
          name: "PostgreSQL is stopped in good order",
          async inflict() {
            await server.stop();
            await server.start();
          },
        },
        {
          name: "PostgreSQL is stopped at once",
          async inflict() {
            await server.stopAtOnce();
            await server.start();
          },
        },
        {
          name: "PostgreSQL is killed",
          async inflict() {
            await server.kill();
            await server.start();
          },
        },
        {
          name: "PostgreSQL stands still",
          async inflict(random) {
            await server.freeze();
            await sleep(pauseMs(random));
            server.thaw();
          },
        },
      ],
    });
  } finally {
    await server.kill();
  }
};
