/** Who is stopped twice goes on with the first signal to do so, and one of the stalls would be none. */
const stopped = new Set<number>();

export function isStopped(pid: number): boolean {
  return stopped.has(pid);
}

/** Stops a process, and returns what makes it go on; undefined when it is stopped already or has ended. */
export function stop(pid: number | undefined): (() => Promise<void>) | undefined {
  if (pid === undefined || stopped.has(pid) || !signal(pid, "SIGSTOP")) return undefined;
  stopped.add(pid);
  return async () => {
    if (stopped.delete(pid)) signal(pid, "SIGCONT");
  };
}

/** False when it has ended meanwhile. */
function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
