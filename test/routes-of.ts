import type { App } from "../src/http/server.ts";

export interface ListedRoute {
  readonly url: string;
  readonly methods: readonly string[];
}

/** Every address of the router, read from the tree it prints, four columns a step. */
export function routesOf(app: App): ListedRoute[] {
  const above: string[] = [];
  return app
    .printRoutes()
    .split("\n")
    .filter((line) => line.includes("── "))
    .flatMap((line) => {
      const [indent = "", rest = ""] = line.split("── ");
      const depth = (indent.length - 1) / 4;
      const [, part = "", methods = ""] = /^(\S+)(?: \((.*)\))?$/.exec(rest) ?? [];
      above.length = depth;
      above.push(part);
      return methods === "" ? [] : [{ url: above.join(""), methods: methods.split(", ") }];
    });
}
