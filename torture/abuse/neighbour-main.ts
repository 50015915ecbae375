import { once } from "node:events";
import { Neighbour } from "./neighbour.ts";

const [url = "", token = "", name = ""] = process.argv.slice(2);
const neighbour = new Neighbour(url, token, name);
process.stdin.resume();
await once(process.stdin, "end");
process.stdout.write(JSON.stringify(await neighbour.stop()));
