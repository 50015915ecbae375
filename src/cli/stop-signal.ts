export interface StopSignal {
  readonly signal: AbortSignal;
  readonly stop: () => void;
  /** From now on Ctrl-C ends the program as usual. */
  readonly close: () => void;
}

/** Ctrl-C ends what goes on without an end, and lets the command say how far it was. */
export function watchForStop(): StopSignal {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  const close = () => {
    process.off("SIGINT", stop);
    process.off("SIGTERM", stop);
  };
  return { signal: stopping.signal, stop, close };
}
