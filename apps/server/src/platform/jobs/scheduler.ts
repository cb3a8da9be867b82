/** Repeats a task in this process, never twice at once; a failure is reported and the next run tries again. */
export interface Scheduler {
  every(ms: number, task: () => Promise<void>): void;
  /** Does a task once, beside what asked for it. */
  once(task: () => Promise<void>): void;
  /** Stops and waits for the tasks under way. */
  stop(): Promise<void>;
}

/** Short tasks that must not wait for a polled queue (calls without events, events not yet worked). */
export function createScheduler(onError: (error: Error) => void): Scheduler {
  const timers = new Set<NodeJS.Timeout>();
  const running = new Set<Promise<void>>();
  const start = (task: () => Promise<void>, whenDone: () => void = () => undefined) => {
    const run = task()
      .catch(onError)
      .finally(() => {
        whenDone();
        running.delete(run);
      });
    running.add(run);
  };
  return {
    once: (task) => start(task),
    every(ms, task) {
      let busy = false;
      const timer = setInterval(() => {
        if (busy) return;
        busy = true;
        start(task, () => {
          busy = false;
        });
      }, ms);
      timers.add(timer);
    },
    async stop() {
      for (const timer of timers) clearInterval(timer);
      await Promise.all(running);
    },
  };
}
