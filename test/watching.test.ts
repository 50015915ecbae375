import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test as plainTest } from "vitest";
import { parse } from "yaml";
import { buildProgram } from "../src/cli/program.ts";
import { packageRoot } from "../src/kernel/root.ts";
import { scrapeBusyService } from "./busy-service.ts";
import { test } from "./fixtures.ts";
import { readMetrics, type ScrapedMetric } from "./read-metrics.ts";
import { readPromql } from "./read-promql.ts";

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly datasource?: { readonly uid: string };
  readonly gridPos: {
    readonly h: number;
    readonly w: number;
    readonly x: number;
    readonly y: number;
  };
  readonly targets?: readonly { readonly refId: string; readonly expr: string }[];
}

const alerts = (
  parse(read("deploy/prometheus/cauri-alerts.yml")) as { groups: { rules: Alert[] }[] }
).groups.flatMap(({ rules }) => rules);
const dashboard = JSON.parse(read("deploy/grafana/cauri.json")) as {
  uid: string;
  title: string;
  schemaVersion: number;
  templating: { list: { name: string; type: string }[] };
  panels: Panel[];
};
const expressions = [
  ...alerts.map(({ alert, expr }) => ({ where: alert, expr })),
  ...dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ where: `panel ${title}`, expr })),
  ),
];

/** Values that only come with time: answers, routes and guesses that no short test has seen. */
const openLabels = new Set(["status", "route", "instance", "job"]);
const openMetrics = new Set(["cauri_codes_total"]);
/** What Prometheus adds by itself. */
const ofPrometheus = new Set(["instance", "job", "le"]);

/** What PostgreSQL cannot say of its machine: metrics of Prometheus' node_exporter, with their labels. */
const ofNodeExporter = new Map(
  Object.entries({
    node_filesystem_avail_bytes: ["device", "fstype", "mountpoint"],
    node_filesystem_size_bytes: ["device", "fstype", "mountpoint"],
    node_timex_sync_status: [],
  }).map(([name, labels]) => [
    name,
    { type: "gauge", help: "", labels: new Set(labels), values: new Map(), seriesCount: 1 },
  ]),
);

test("alerts and dashboard ask for metrics, labels and values that a real scrape has", async ({
  db,
  company,
}) => {
  const shown = readMetrics(await scrapeBusyService(db, company));
  const wrong = expressions.flatMap(({ where, expr }) => {
    const { asked, groupedBy } = readPromql(expr);
    if (asked.length === 0) return [`${where} asks for nothing of ours`];
    const known = asked.map(({ name }) => findMetric(shown, name) ?? ofNodeExporter.get(name));
    const problems = asked.flatMap(({ name, labels }, place) => {
      const metric = known[place];
      if (name === "up") return [];
      if (metric === undefined) return [`${where}: there is no ${name}`];
      return [...labels].flatMap(([label, values]) => {
        if (ofPrometheus.has(label)) return [];
        if (!metric.labels.has(label)) return [`${where}: ${name} has no label ${label}`];
        if (openLabels.has(label) || openMetrics.has(name)) return [];
        return values
          .filter((value) => metric.values.get(label)?.has(value) !== true)
          .map((value) => `${where}: ${name} never has ${label}="${value}"`);
      });
    });
    const groups = groupedBy
      .filter((label) => !ofPrometheus.has(label))
      .filter((label) => !known.some((metric) => metric?.labels.has(label)))
      .map((label) => `${where}: nothing it asks for has the label ${label}`);
    return [...problems, ...groups];
  });
  expect(wrong).toEqual([]);

  const used = new Set(
    expressions.flatMap(({ expr }) => readPromql(expr).asked).map(({ name }) => toBase(name)),
  );
  expect(
    [...shown.keys()].filter((name) => !used.has(name)),
    "on no panel and in no alert",
  ).toEqual([]);
});

plainTest("whoever else is asked is scraped: each job of an alert is one of prometheus.yml", () => {
  const { scrape_configs: scraped } = parse(read("deploy/prometheus/prometheus.yml")) as {
    scrape_configs: { job_name: string }[];
  };
  const asked = expressions.flatMap(({ expr }) => readPromql(expr).asked);
  const jobs = new Set(asked.flatMap(({ labels }) => labels.get("job") ?? []));

  expect([...jobs].toSorted()).toEqual(scraped.map(({ job_name }) => job_name).toSorted());
  for (const { name, labels } of asked)
    if (ofNodeExporter.has(name)) expect(labels.get("job"), name).toEqual(["cauri-database"]);
});

plainTest(
  "every alert has a page of the runbook that says what it means, what people feel and what to do",
  () => {
    const runbook = read("docs/runbook.md");
    const pages = new Map(
      [...runbook.matchAll(/^### (\w+)\n([\s\S]*?)(?=^#{2,3} |(?![\s\S]))/gm)].map(
        ([, name = "", text = ""]) => [name, text],
      ),
    );
    expect([...pages.keys()].toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted());
    for (const { alert, annotations, labels, for: wait } of alerts) {
      const page = pages.get(alert) ?? "";
      for (const part of ["**Means.**", "**People feel.**", "**Do.**"])
        expect(page, `${alert} ${part}`).toContain(part);
      expect(page, `${alert}: something to type`).toMatch(/```sh\n[\s\S]+?```|```sql\n[\s\S]+?```/);
      expect(annotations.runbook).toBe(`docs/runbook.md#${alert.toLowerCase()}`);
      expect(annotations.summary).toMatch(/^[A-Z].*\.$/);
      expect(["page", "ticket"]).toContain(labels.severity);
      expect(wait ?? "1m").toMatch(/^\d+[smh]$/);
    }
    expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
  },
);

plainTest(
  "what the runbook has typed exists: commands with their options, tables, metrics, settings",
  async () => {
    const runbook = read("docs/runbook.md");
    const parts = {
      version: "0.0.0",
      serve: async () => {},
      loadAuditChecks: async () => [],
      isSilent: true,
    };
    const program = await buildProgram(parts, []);
    const typed = [...runbook.matchAll(/\$CAURI ([^\n;>#]+)/g)].map(([, line = ""]) => line.trim());
    expect(typed.length).toBeGreaterThan(5);
    for (const line of typed) {
      let command = program;
      for (const word of line.split(" ")) {
        const next = command.commands.find((one) => one.name() === word);
        if (next === undefined) break;
        command = next;
      }
      expect(command.commands, `${line} names a command`).toEqual([]);
      for (const [option] of line.matchAll(/--[a-z-]+/g))
        expect(
          command.options.map(({ long }) => long),
          line,
        ).toContain(option);
    }
    const schema = read("docs/schema.sql");
    for (const [, table = ""] of runbook.matchAll(/\bfrom ([a-z_]+)(?: |;|\n)/g))
      if (/_|^(?:books|work|deliveries)$/.test(table) && !table.startsWith("pg_"))
        expect(schema, table).toContain(`create table ${table} (`);
    const operating = read("docs/operating.md");
    for (const [, name = ""] of runbook.matchAll(
      /\b((?:cauri|process)_[a-z_]+|[A-Z]+(?:_[A-Z]+)+)\b/g,
    ))
      if (
        !/^(?:INTERNAL_ERROR|cauri_database|cauri_queue|process_cpu|process_start_time|cauri_event_loop_delay)$/.test(
          name,
        )
      )
        expect(operating, name).toContain(name);
  },
);

plainTest(
  "the dashboard can be imported: known ids, a data source to choose, panels that do not overlap",
  () => {
    expect(dashboard).toMatchObject({ uid: "cauri", title: "Cauri", schemaVersion: 39 });
    expect(dashboard.templating.list.map(({ name, type }) => [name, type])).toEqual([
      ["datasource", "datasource"],
      ["instance", "query"],
    ]);
    const rows = dashboard.panels.filter(({ type }) => type === "row").map(({ title }) => title);
    expect(rows).toEqual(["API", "Money", "Notifications", "Database", "Messages", "Process"]);
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
    const taken = new Set<string>();
    for (const { title, type, gridPos, datasource, targets = [] } of dashboard.panels) {
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          expect(x, title).toBeLessThan(24);
          expect(taken.has(`${x} ${y}`), title).toBe(false);
          taken.add(`${x} ${y}`);
        }
      if (type === "row") continue;
      expect(datasource?.uid, title).toBe("${datasource}");
      expect(targets.length, title).toBeGreaterThan(0);
      for (const { expr } of targets) expect(expr, title).toContain('instance=~"$instance"');
    }
  },
);

function findMetric(
  shown: ReadonlyMap<string, ScrapedMetric>,
  name: string,
): ScrapedMetric | undefined {
  const base = shown.get(toBase(name));
  return shown.get(name) ?? (base?.type === "histogram" ? base : undefined);
}

function toBase(name: string): string {
  return name.replace(/_(?:bucket|sum|count)$/, "");
}

function read(path: string): string {
  return readFileSync(join(packageRoot, path), "utf8");
}
