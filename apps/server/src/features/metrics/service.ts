import { leadStatuses } from "@portal/contract/entities/lead";
import {
  type ActivityPoint,
  type activitySteps,
  type CallsReport,
  firstCallMinutes,
  type LeadsReport,
  type OverviewReport,
  type PerformanceReport,
} from "@portal/contract/entities/report";
import { limits } from "@portal/contract/limits";
import type { Database, Db } from "../../platform/db/client.ts";
import type { ListRange } from "../../platform/db/sql/filters.ts";
import { outcomesOf, presentPeriod, ratioMetric, sumMetric, tally } from "./present.ts";
import {
  countConvertedSources,
  findPeriod,
  listConsultants,
  type MetricRow,
  type Period,
  type ReportScope,
  sumEveryone,
  sumFirstCalls,
  sumMetrics,
} from "./report-repository.ts";

type Step = (typeof activitySteps)[number];
type Counts = Omit<ActivityPoint, "day">;

const dayMs = 86_400_000;
const toDay = (at: Date) => at.toISOString().slice(0, 10);
const dateOf = (day: string) => new Date(`${day}T00:00:00Z`);

/** The first day of the step that contains a day: the day itself, its Monday, or the first of its month. */
function stepStart(day: string, step: Step): string {
  if (step === "day") return day;
  if (step === "month") return `${day.slice(0, 8)}01`;
  const date = dateOf(day);
  return toDay(new Date(date.getTime() - ((date.getUTCDay() + 6) % 7) * dayMs));
}

function nextStart(day: string, step: Step): string {
  const date = dateOf(day);
  if (step === "month") date.setUTCMonth(date.getUTCMonth() + 1);
  else date.setUTCDate(date.getUTCDate() + (step === "week" ? 7 : 1));
  return toDay(date);
}

/** Counts by day as an activity chart: every step from the first day to the last, including steps without counts. Days are YYYY-MM-DD. */
export function chartActivity(input: {
  first: string;
  last: string;
  days: Iterable<{ day: string } & Partial<Counts>>;
}): { step: Step; points: ActivityPoint[] } {
  const { first, last, days } = input;
  const length = (dateOf(last).getTime() - dateOf(first).getTime()) / dayMs + 1;
  const step: Step = length <= 31 ? "day" : length <= 184 ? "week" : "month";
  const points = new Map<string, ActivityPoint>();
  for (let day = stepStart(first, step); day <= last; day = nextStart(day, step))
    points.set(day, { day, calls: 0, answered: 0, texts: 0, conversions: 0 });
  for (const { day, calls = 0, answered = 0, texts = 0, conversions = 0 } of days) {
    const point = points.get(stepStart(day, step));
    if (!point) continue;
    point.calls += calls;
    point.answered += answered;
    point.texts += texts;
    point.conversions += conversions;
  }
  return { step, points: [...points.values()] };
}

function countsOf({ kind, label, n }: MetricRow): Partial<ActivityPoint> {
  if (kind === "call") return { calls: n, answered: label === "answered" ? n : 0 };
  if (kind === "text") return { texts: n };
  return kind === "conversion" ? { conversions: n } : {};
}

function activityOf(rows: MetricRow[], { start, today }: Period): OverviewReport["activity"] {
  const days = rows
    .filter(({ part, kind }) => part === "now" && kind !== "lead")
    .map((row) => ({ ...countsOf(row), day: row.bucket }))
    .sort((a, b) => (a.day < b.day ? -1 : 1));
  const [earliest = today, latest = today] = [days.at(0)?.day, days.at(-1)?.day];
  const first = start?.day ?? (earliest < today ? earliest : today);
  return chartActivity({ first, last: latest > today ? latest : today, days });
}

/** Report type `overview`. */
export async function reportOverview(
  db: Db,
  { scope, period }: { scope: ReportScope; period: Period },
): Promise<OverviewReport> {
  const kinds = ["call", "text", "conversion", "lead"] as const;
  const rows = await sumMetrics(db, { kinds: kinds, scope, period, bucket: "day", before: true });
  const figures = tally(rows, period);
  return {
    period: presentPeriod(period),
    totalCalls: sumMetric(figures, { kind: "call" }),
    answeredCalls: sumMetric(figures, { kind: "call", label: "answered" }),
    conversionRate: ratioMetric(figures, { kind: "conversion" }, { kind: "lead" }, 100),
    talkSeconds: sumMetric(figures, { kind: "call", of: "amount" }),
    conversions: figures.sum("now", { kind: "conversion" }),
    leadsCreated: figures.sum("now", { kind: "lead" }),
    statuses: leadStatuses.map((status) => ({
      status,
      leads: figures.sum("now", { kind: "lead", label: status }),
    })),
    outcomes: outcomesOf(figures),
    activity: activityOf(rows, period),
  };
}

function hoursOf(rows: MetricRow[]): CallsReport["hours"] {
  const hours = new Map<string, CallsReport["hours"][number]>();
  for (const { part, kind, bucket, label, n } of rows) {
    if (part === "before" || !kind.endsWith("_hour")) continue;
    const key = `${bucket} ${label}`;
    const hour = hours.get(key) ?? { weekday: Number(bucket), hour: Number(label), calls: 0, answered: 0 };
    hours.set(key, hour);
    if (kind === "call_hour") hour.calls = n;
    else hour.answered = n;
  }
  return [...hours.values()].sort((a, b) => a.weekday - b.weekday || a.hour - b.hour);
}

/** Report type `calls`. */
export async function reportCalls(
  db: Db,
  input: { scope: ReportScope; period: Period },
): Promise<CallsReport> {
  const { period } = input;
  const rows = await sumMetrics(db, {
    ...input,
    kinds: ["call", "call_hour", "answered_hour", "inbound_call", "reported_call"],
    bucket: "weekday",
    before: true,
  });
  const figures = tally(rows, period);
  const inbound = figures.sum("now", { kind: "inbound_call" });
  const answered = { kind: "call", label: "answered" } as const;
  // A reported duration is not measured, so reported calls do not count for the average.
  const timed = { ...answered, less: { kind: "reported_call", label: "answered" } } as const;
  const talk = { kind: "call", of: "amount" } as const;
  return {
    period: presentPeriod(period),
    totalCalls: sumMetric(figures, { kind: "call" }),
    answerRate: ratioMetric(figures, answered, { kind: "call" }, 100),
    talkSeconds: sumMetric(figures, talk),
    averageTalkSeconds: ratioMetric(figures, { ...answered, of: "amount" }, timed),
    outbound: figures.sum("now", { kind: "call" }) - inbound,
    inbound,
    outcomes: outcomesOf(figures),
    hours: hoursOf(rows),
  };
}

/** Sources of the leads created in a period, most leads first: those that a report lists, and the remaining ones. '' means no source. */
function rankSources(
  rows: MetricRow[],
  part: MetricRow["part"],
): { named: MetricRow[]; further: MetricRow[] } {
  const all = rows
    .filter((row) => row.part === part && row.kind === "lead_source")
    .sort((a, b) => b.n - a.n || (a.label < b.label ? -1 : 1));
  return { named: all.slice(0, limits.reportSources), further: all.slice(limits.reportSources) };
}

/** The sources that the report of a scope and a range lists; '' means no source. */
export async function namedSources(
  { db }: Database,
  {
    scope,
    created,
    timeZone,
  }: { scope: ReportScope; created: Exclude<ListRange, "today"> | undefined; timeZone: string },
): Promise<string[]> {
  const before = created === "previous-week" || created === "previous-month";
  const range = created === undefined ? "all" : created.endsWith("week") ? "week" : "month";
  const period = await findPeriod(db, { range, timeZone });
  const rows = await sumMetrics(db, { kinds: ["lead_source"], scope, period, bucket: "none", before });
  return rankSources(rows, before ? "before" : "now").named.map(({ label }) => label);
}

/** Bands of the time to the first call, from the numbers of leads called within each limit. */
function bandsOf(called: number, within: number[]): LeadsReport["firstCall"]["within"] {
  const upTo = [...within, called];
  return firstCallMinutes.map((minutes, index) => ({
    minutes,
    leads: (upTo[index] ?? 0) - (upTo[index - 1] ?? 0),
  }));
}

function sourcesOfLeads(rows: MetricRow[], converted: Map<string, number>) {
  const { named, further } = rankSources(rows, "now");
  return {
    sources: named.map(({ label, n }) => ({
      source: label || null,
      leads: n,
      converted: converted.get(label) ?? 0,
    })),
    otherSources: further.reduce((sum, { n }) => sum + n, 0),
  };
}

/** Report type `leads`. */
export async function reportLeads(
  db: Db,
  input: { scope: ReportScope; period: Period },
): Promise<LeadsReport> {
  const { period } = input;
  const rows = await sumMetrics(db, {
    ...input,
    kinds: ["lead", "lead_source", "conversion"],
    bucket: "none",
    before: true,
  });
  const converted = await countConvertedSources(db, input);
  const minutes = firstCallMinutes.filter((limit) => limit !== null);
  const { called, median, within } = await sumFirstCalls(db, { ...input, minutes });
  const figures = tally(rows, period);
  return {
    period: presentPeriod(period),
    leadsCreated: sumMetric(figures, { kind: "lead" }),
    conversions: sumMetric(figures, { kind: "conversion" }),
    conversionRate: ratioMetric(figures, { kind: "conversion" }, { kind: "lead" }, 100),
    statuses: leadStatuses.map((status) => ({
      status,
      leads: figures.sum("now", { kind: "lead", label: status }),
    })),
    ...sourcesOfLeads(rows, converted),
    firstCall: {
      medianSeconds: median,
      called,
      neverCalled: figures.sum("now", { kind: "lead" }) - called,
      within: bandsOf(called, within),
    },
  };
}

/** Report type `performance`: each user's own work, regardless of who has the leads now. Most calls first. */
export async function reportPerformance(
  db: Db,
  { scope, period }: { scope: ReportScope; period: Period },
): Promise<PerformanceReport> {
  const userId = scope === "everyone" ? undefined : scope.userId;
  const rows = await sumEveryone(db, {
    kinds: ["call", "text", "conversion"],
    period,
    bucket: "user",
    before: false,
    userId,
  });
  const byUser = Map.groupBy(rows, ({ bucket }) => Number(bucket));
  const people = await listConsultants(db, { userId, andIds: [...byUser.keys()] });
  const consultants = people.map((person) => {
    const did = tally(byUser.get(person.userId) ?? [], period);
    return {
      userId: person.userId,
      name: person.name,
      active: person.active,
      leads: person.leads,
      calls: did.sum("now", { kind: "call" }),
      answered: did.sum("now", { kind: "call", label: "answered" }),
      talkSeconds: did.sum("now", { kind: "call", of: "amount" }),
      texts: did.sum("now", { kind: "text", label: "outbound" }),
      conversions: did.sum("now", { kind: "conversion" }),
      conversionValue: did.sum("now", { kind: "conversion", of: "amount" }),
    };
  });
  consultants.sort((a, b) => b.calls - a.calls || a.name.localeCompare(b.name) || a.userId - b.userId);
  return { period: presentPeriod(period), consultants };
}
