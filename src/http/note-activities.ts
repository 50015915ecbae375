import type { FastifyInstance, FastifyRequest } from "fastify";
import { activities } from "../kernel/activity-board.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The number of this route among the activities. */
    readonly activityLabel?: number;
  }
  interface FastifyRequest {
    /** Where the activities have this request. */
    activity: number;
  }
}

const unrouted = activities.labelFor("no route");

/** Gives the routes their names for the watchdog, which tells what blocked the event loop. */
export function nameActivities(app: FastifyInstance): void {
  app.decorateRequest("activity", 0);
  app.addHook("onRoute", (route) => {
    const methods = [route.method].flat();
    const name = methods.length > 2 ? route.url : `${methods[0]} ${route.url}`;
    route.config = { ...route.config, activityLabel: activities.labelFor(name) };
  });
}

/** From now on this request is worked on. Whoever waits for something in between says so again: see `goOnWith`. */
export function beginActivity(request: FastifyRequest): void {
  request.activity = activities.begin(request.route.config.activityLabel ?? unrouted);
}
