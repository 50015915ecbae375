import type { TestService } from "./fixtures.ts";

/** The addresses below /console that the service has, read from the tree it prints; files of the pages are left out. */
export function consolePathsOf({ app }: Pick<TestService, "app">): string[] {
  const above: string[] = [];
  const paths = app
    .printRoutes({ commonPrefix: false })
    .split("\n")
    .flatMap((line) => {
      const [, indent = "", part = "", methods] =
        /^([\s│]*)[├└]── (\S+)(?: \((.*)\))?/.exec(line) ?? [];
      const depth = indent.length / 4;
      above.splice(depth, above.length, part);
      const path = above.join("");
      return methods !== undefined && /^\/console\b/.test(path) ? [path] : [];
    });
  return paths.filter((path) => !/\/assets\/|\*/.test(path));
}
