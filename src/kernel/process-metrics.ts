import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Metrics } from "./metrics.ts";
import { stallCauses, stallSums } from "./stalls.ts";
import { version } from "./version.ts";

/** What /metrics shows of the process, by the names that Prometheus gives it; brought up to date by the function it answers. */
export function processMetrics(metrics: Metrics): () => void {
  metrics
    .gauge("cauri_build_info", "Always 1: which version runs, on which Node.js.", "same")
    .set(1, { version, node: process.versions.node });
  metrics
    .gauge(
      "process_start_time_seconds",
      "When the process was started, in seconds since 1970.",
      "highest",
    )
    .set(Math.round(performance.timeOrigin) / 1_000);
  const cpu = metrics.counter("process_cpu_seconds_total", "Seconds of CPU that it has used.");
  const memory = metrics.gauge("process_resident_memory_bytes", "Memory that it has.", "sum");
  const heap = metrics.gauge("cauri_heap_used_bytes", "Memory that its objects use.", "sum");
  const loopDelay = metrics.gauge(
    "cauri_event_loop_delay_max_seconds",
    "The longest that the event loop was held up since the last time this was read.",
    "highest",
  );
  const causes = stallCauses.map((cause) => ({ cause }));
  const stalls = metrics.counter(
    "cauri_event_loop_stalls_total",
    "How often the event loop was blocked for more than a quarter of a second: by its own work, or because the machine was busy.",
    causes,
  );
  const stalled = metrics.counter(
    "cauri_event_loop_stalled_seconds_total",
    "Seconds for which it was blocked in those.",
    causes,
  );
  const told = { work: { count: 0, ms: 0 }, machine: { count: 0, ms: 0 } };
  const loop = monitorEventLoopDelay({ resolution: 10 });
  loop.enable();
  let cpuSeconds = 0;
  return () => {
    const { user, system } = process.cpuUsage();
    const used = (user + system) / 1e6;
    cpu.add({}, used - cpuSeconds);
    cpuSeconds = used;
    const { rss, heapUsed } = process.memoryUsage();
    memory.set(rss);
    heap.set(heapUsed);
    for (const cause of stallCauses) {
      const { count, ms } = stallSums[cause];
      stalls.add({ cause }, count - told[cause].count);
      stalled.add({ cause }, (ms - told[cause].ms) / 1_000);
      told[cause] = { count, ms };
    }
    loopDelay.set(loop.max / 1e9);
    loop.reset();
  };
}
