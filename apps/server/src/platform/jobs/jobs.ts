import type pg from "pg";
import { PgBoss } from "pg-boss";
import { leaveDemoted, type Tx } from "../db/client.ts";
import { jobsSchema } from "../db/migrate.ts";

/** A queue: its name, its retries, and how many jobs a process runs at once. */
export interface Queue<Data extends object> {
  name: string;
  retryLimit: number;
  /** Seconds before the first retry; doubles each time up to `retryDelayMax`. */
  retryDelay: number;
  retryDelayMax: number;
  /** Seconds after which a job whose worker died is given to another (at most 300). */
  expireInSeconds: number;
  concurrency: number;
  /** Jobs have a key, and at most one job of a key waits (another one may be running). */
  keyed?: boolean;
  work: (data: Data) => Promise<void>;
}

export interface EnqueueOptions {
  startAfterSeconds?: number;
  /** At most one waiting job of this key, on a keyed queue. */
  key?: string;
  /** The job's own id: while a job with this id is known (for a week after its end), no second one is created. */
  id?: string;
}

export interface Jobs {
  /** Enqueues a job in the caller's transaction, so that it exists exactly when the change does. */
  enqueue(tx: Tx, queue: string, data: object, options?: EnqueueOptions): Promise<void>;
  /** Creates the queues, so that jobs can be enqueued, and starts their workers unless other processes work (`isWorker`). */
  start(queues: Queue<never>[], isWorker?: boolean): Promise<void>;
  ready(): boolean;
  /** Waits for running jobs (at most 5 s) and returns the others to the queue. */
  stop(): Promise<void>;
}

/** Options of the driver, so that it gives up a server that hangs or is unreachable. */
const connectionOptions = { keepAlive: true, query_timeout: 30_000 };

/** Background jobs in PostgreSQL, shared by all processes. `ownsSchema`: whether the role creates and updates the tables of pg-boss. */
export function createJobs(options: {
  databaseUrl: string;
  ownsSchema?: boolean;
  onError: (error: Error) => void;
}): Jobs {
  const boss = new PgBoss({
    connectionString: options.databaseUrl,
    schema: jobsSchema,
    migrate: options.ownsSchema ?? true,
    max: 4,
    ...connectionOptions,
    useListenNotify: true,
    application_name: "portal-jobs",
  });
  boss.on("error", options.onError);
  let running = false;

  /** Starts one worker of a queue. After a job it fetches the next one at once, while pg-boss would pause for seconds. */
  async function workAlong(name: string, work: (data: object) => Promise<void>): Promise<void> {
    let id = "";
    id = await boss.work(
      name,
      { pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 3 },
      async ([job]) => {
        boss.notifyWorker(id);
        if (job) await work(job.data as object);
      },
    );
  }

  return {
    async enqueue(tx, queue, data, { startAfterSeconds, key, id } = {}) {
      await boss.send(queue, data, {
        db: { executeSql: (text, values) => tx.$client.query(text, values) },
        ...(startAfterSeconds !== undefined && { startAfter: startAfterSeconds }),
        ...(key !== undefined && { singletonKey: key }),
        ...(id !== undefined && { id }),
      });
    },
    async start(queues, isWorker = true) {
      await boss.start();
      // pg-boss has no option for it: an adapter of our own would have to listen for notifications as well.
      leaveDemoted((boss.getDb() as unknown as { pool: pg.Pool }).pool);
      for (const queue of queues) {
        const { name, work, concurrency, keyed = false, ...rules } = queue as Queue<object>;
        await boss.createQueue(name, {
          ...rules,
          retryBackoff: true,
          notify: true,
          policy: keyed ? "short" : "standard",
        });
        const workers = isWorker ? concurrency : 0;
        for (let worker = 0; worker < workers; worker += 1) await workAlong(name, work);
      }
      running = true;
    },
    ready: () => running,
    async stop() {
      running = false;
      await boss.stop({ graceful: true, timeout: 5_000 });
    },
  };
}

/** Repeats a task in this process, never in parallel with itself; a failure is reported and the next run tries again. */
export interface Scheduler {
  every(ms: number, task: () => Promise<void>): void;
  /** Runs a task once in the background. */
  once(task: () => Promise<void>): void;
  /** Stops and waits for the running tasks. */
  stop(): Promise<void>;
}

/** Scheduler for short tasks that must not wait for a polled queue (calls without events, events that are not yet processed). */
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
