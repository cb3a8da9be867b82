import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Database } from "../../platform/db/client.ts";
import { type Backlog, readBacklog } from "./repository.ts";

/** Data of this process in addition to its requests. */
export interface MonitoringContext {
  database: Database;
  /** The version of the product, as shown to users. */
  version: string;
  eventStreams: () => number;
  /** Calls `note` for each finished request to a vendor, until the returned function is called. */
  onProviderRequest: (note: (request: { provider: string; outcome: string }) => void) => () => void;
}

/** The metrics of a process and of its database, for Prometheus. No label contains a person, a number or an id. */
export interface Monitor {
  noteRequest(request: { method: string; route: string; status: number; seconds: number }): void;
  noteContentReport(report: { directive: string }): void;
  /**
   * The text for Prometheus, and its content type. If the database does not respond, its metrics are missing, and `portal_database_up` is
   * 0.
   */
  read(): Promise<{ text: string; contentType: string }>;
  close(): void;
}

function createGauges(registry: Registry) {
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name: `portal_${name}`, help, labelNames, registers: [registry] });
  return {
    build: gauge("build_info", "The version that runs.", ["version"]),
    pool: gauge("database_connections", "Connections of the pool, and requests that wait for one.", [
      "state",
    ]),
    streams: gauge("event_streams", "Browsers that listen for changes."),
    up: gauge("database_up", "1 where the database answered this reading."),
    jobs: gauge("jobs_waiting", "Jobs whose time has come and that nobody has taken.", ["queue"]),
    jobAge: gauge("jobs_oldest_seconds", "How long the oldest of them has been due.", ["queue"]),
    calls: gauge("calls_live", "Calls that have not ended.", ["state"]),
    stuck: gauge("calls_stuck", "Live calls without an event whose provider was not asked for 5 minutes."),
    outbox: gauge("crm_outbox_waiting", "Changes that the CRM does not have yet."),
    outboxAge: gauge(
      "crm_outbox_oldest_seconds",
      "How long the oldest of them has waited; 0 where none waits.",
    ),
    eventAge: gauge("provider_event_last_seconds", "How long ago a provider's last event came.", ["source"]),
    events: gauge("provider_events_waiting", "Events that are stored and not worked yet.", ["source"]),
    refusals: gauge("contact_refusals_last_hour", "What the contact policy refused.", ["channel", "reason"]),
    backupAge: gauge(
      "backup_age_seconds",
      "How long ago the last good backup began; missing where there is none.",
    ),
  };
}

function setBacklog(gauges: ReturnType<typeof createGauges>, backlog: Backlog): void {
  for (const { queue, waiting, oldestSeconds } of backlog.jobs) {
    gauges.jobs.set({ queue }, waiting);
    gauges.jobAge.set({ queue }, oldestSeconds);
  }
  for (const { state, live } of backlog.calls) gauges.calls.set({ state }, live);
  gauges.stuck.set(backlog.callsStuck);
  gauges.outbox.set(backlog.outbox.waiting);
  gauges.outboxAge.set(backlog.outbox.oldestSeconds ?? 0);
  for (const { source, lastSeconds, waiting } of backlog.providerEvents) {
    gauges.eventAge.set({ source }, lastSeconds);
    gauges.events.set({ source }, waiting);
  }
  for (const { channel, reason, refused } of backlog.refusals)
    gauges.refusals.set({ channel, reason }, refused);
  if (backlog.backupSeconds !== null) gauges.backupAge.set(backlog.backupSeconds);
}

/** Starts to count. Source: Prometheus' text format, https://prometheus.io/docs/instrumenting/exposition_formats/. */
export function createMonitor(context: MonitoringContext): Monitor {
  const { database, version } = context;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const gauges = createGauges(registry);
  const requests = new Counter({
    name: "portal_http_requests_total",
    help: "Answered requests by the route's pattern.",
    labelNames: ["method", "route", "status"],
    registers: [registry],
  });
  const durations = new Histogram({
    name: "portal_http_request_seconds",
    help: "From a request's arrival to its answer's end.",
    labelNames: ["method", "route"],
    buckets: [0.01, 0.05, 0.15, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  const providers = new Counter({
    name: "portal_provider_requests_total",
    help: "Requests to vendors by how they ended: answered, or the kind of failure.",
    labelNames: ["provider", "outcome"],
    registers: [registry],
  });
  const contentReports = new Counter({
    name: "portal_content_policy_reports_total",
    help: "What browsers say that the content security policy refused.",
    labelNames: ["directive"],
    registers: [registry],
  });
  const stop = context.onProviderRequest(({ provider, outcome }) => providers.inc({ provider, outcome }));
  // A group without pending work has no row: without a reset it would keep its last value.
  const emptied = [gauges.jobs, gauges.jobAge, gauges.calls, gauges.eventAge, gauges.events, gauges.refusals];

  return {
    noteRequest({ method, route, status, seconds }) {
      requests.inc({ method, route, status });
      durations.observe({ method, route }, seconds);
    },
    noteContentReport({ directive }) {
      contentReports.inc({ directive });
    },
    async read() {
      const { totalCount, idleCount, waitingCount } = database.pool;
      gauges.build.set({ version }, 1);
      gauges.pool.set({ state: "busy" }, totalCount - idleCount);
      gauges.pool.set({ state: "idle" }, idleCount);
      gauges.pool.set({ state: "waiting" }, waitingCount);
      gauges.streams.set(context.eventStreams());
      const backlog = await readBacklog(database.db).catch(() => null);
      for (const gauge of emptied) gauge.reset();
      gauges.up.set(backlog ? 1 : 0);
      if (backlog) setBacklog(gauges, backlog);
      return { text: await registry.metrics(), contentType: registry.contentType };
    },
    close() {
      stop();
      registry.clear();
    },
  };
}
