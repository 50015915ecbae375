import type { Place } from "../ground.ts";
import type { Campaign } from "../part.ts";
import type { Client } from "../traffic/client.ts";
import { Shop } from "../traffic/shop.ts";
import { readCatalog } from "./catalog.ts";
import { Neighbour } from "./neighbour.ts";
import {
  addNearCeiling,
  answerLimitMs,
  closeParty,
  openParty,
  type Party,
  type Scene,
} from "./scene.ts";
import { Stage } from "./stage.ts";

export interface TownOptions {
  /** Who share their wallets among the shops. */
  readonly people: number;
  readonly shops: number;
  readonly shoppersEach: number;
  readonly shopperPauseMs: number;
  readonly neighbours: number;
  /** Of both services. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Two services on one database, and everybody who uses them: shops that share people whose wallets are nearly full. */
export interface Town {
  readonly scene: Scene;
  readonly people: readonly string[];
  readonly shops: readonly Shop[];
  /** The company that gave the people their money, and to which they pay. */
  readonly bank: Party;
  readonly stage: Stage;
  readonly neighbours: readonly Neighbour[];
  /** One for every company. */
  readonly clients: readonly Client[];
  close(): Promise<void>;
}

export async function openTown(
  campaign: Campaign,
  place: Place,
  options: TownOptions,
): Promise<Town> {
  const { random } = campaign;
  const { settings } = options;
  const programs = await Promise.all([place.start(settings), place.start(settings)]);
  const catalog = await readCatalog(place.database);
  const scene: Scene = { campaign, place, catalog, programs };
  const bank = await openParty(scene, "Bank");
  const people = Array.from({ length: options.people }, (_, index) => `2250720000${index}00`);
  await Promise.all(people.map((msisdn) => addNearCeiling(scene, bank, msisdn)));

  const shops: Shop[] = [];
  for (let index = 0; index < options.shops; index += 1) {
    const own = random.fork();
    shops.push(
      await Shop.open(place, {
        url: () => own.pick(programs).url,
        random: random.fork(),
        shoppers: options.shoppersEach,
        pauseMs: options.shopperPauseMs,
        answerLimitMs,
        people,
      }),
    );
  }
  const stage = await Stage.open(scene);
  const neighbours: Neighbour[] = [];
  for (let index = 0; index < options.neighbours; index += 1)
    neighbours.push(await Neighbour.open(scene, `2250730000${index}00`));
  return {
    scene,
    people,
    shops,
    bank,
    stage,
    neighbours,
    clients: [
      bank.clients[0],
      stage.party.clients[0],
      ...shops.map(({ client }) => client),
      ...neighbours.map(({ party }) => party.clients[0]),
    ],
    async close() {
      for (const shop of shops) await shop.close();
      for (const neighbour of neighbours) await neighbour.close();
      await stage.close();
      await closeParty(bank);
    },
  };
}
