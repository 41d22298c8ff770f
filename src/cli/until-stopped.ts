/** Settles when the process is told to stop: SIGINT, SIGTERM or SIGHUP, each of which no longer ends it at once. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
  });
}
