import type { Service } from "./contender.ts";
import type { RunPostgres } from "./run-postgres.ts";

/** CPU time for each transfer, or for each notification. */
export interface Spent {
  readonly serviceCpuUs: number;
  readonly postgresCpuUs: number;
}

/** Starts counting CPU time; where the system does not tell, nothing is said of it. */
export function startMeter(
  service: Service,
  postgres: RunPostgres,
): (count: number) => Spent | undefined {
  const read = () => ({ service: service.cpuMs(), postgres: postgres.cpuMs() });
  const before = read();
  return (count) => {
    const after = read();
    const each = (from: number | undefined, to: number | undefined) =>
      from === undefined || to === undefined ? undefined : ((to - from) * 1_000) / count;
    const serviceCpuUs = each(before.service, after.service);
    const postgresCpuUs = each(before.postgres, after.postgres);
    if (serviceCpuUs === undefined || postgresCpuUs === undefined) return undefined;
    return { serviceCpuUs, postgresCpuUs };
  };
}
