import type { CheckStatus } from "@portal/contract/entities/diagnostics";
import { integrations } from "@portal/contract/entities/diagnostics";
import type { EventListener } from "../../platform/realtime/listener.ts";
import type { DiagnosticsContext } from "../diagnostics/check.ts";
import { createDiagnostics, createReadyCheck } from "../diagnostics/service.ts";
import {
  checkBackups,
  checkDatabase,
  checkDisk,
  checkSecrets,
  checkWork,
  type DoctorCheck,
  type DoctorReport,
  type DoctorSection,
  describeMachine,
  doctorStatuses,
  readPostgresLog,
} from "./check-sections.ts";
import { maskSecrets } from "./list-settings.ts";

/** What the checks of the database's contents need; opened only if the schema has this version. */
export interface DoctorContext {
  diagnostics: DiagnosticsContext;
  events: EventListener;
  /** The scheduled interval; null without a schedule. */
  backupEveryHours: number | null;
}

export interface DoctorInput {
  version: string;
  settings: DoctorCheck[];
  /** Values that must not be printed. */
  secrets: readonly string[];
  databaseUrl: string;
  /** The portal's address on this machine. */
  ownUrl: string;
  dataDir: string | null;
  backupFolder: string | null;
  open: () => Promise<DoctorContext & { close: () => Promise<void> }>;
}

const answerMs = 5_000;

async function checkPortal(ownUrl: string): Promise<DoctorCheck> {
  const name = ownUrl;
  const answer = await fetch(`${ownUrl}/api/ready`, { signal: AbortSignal.timeout(answerMs) }).catch(
    () => null,
  );
  if (!answer) return { name, status: "warn", text: "no portal answers here" };
  if (answer.ok) return { name, status: "ok", text: "ready" };
  const body = (await answer.json().catch(() => ({}))) as { message?: string };
  return { name, status: "fail", text: `${answer.status}: ${body.message ?? "another program answers"}` };
}

const asStatus: Record<CheckStatus, DoctorCheck["status"]> = {
  ok: "ok",
  off: "info",
  warn: "warn",
  fail: "fail",
};

/** Every check of the diagnostics, by its result. */
async function checkProviders(context: DiagnosticsContext): Promise<DoctorCheck[]> {
  const diagnostics = createDiagnostics(context);
  const reports = await Promise.all(integrations.map((of) => diagnostics.look(of, { isHasty: false })));
  return reports.flatMap(({ checks }, at) =>
    checks.map(({ name, status, finding, values, detail, at: seenAt }) => ({
      name: `${integrations[at]}: ${name}`,
      status: asStatus[status],
      text: [finding, ...Object.entries(values).map(([key, value]) => `${key} ${value}`), seenAt, detail]
        .filter((part) => part !== null)
        .join(", "),
    })),
  );
}

async function checkSessions({ diagnostics: { database }, events }: DoctorContext): Promise<DoctorCheck> {
  const name = "Sessions, statements, LISTEN";
  return createReadyCheck({ database, events, jobs: { ready: () => true } })().then(
    () => ({ name, status: "ok" as const, text: "work" }),
    (error: Error) => ({ name, status: "fail" as const, text: error.message }),
  );
}

/** The checks that need a database with the current schema. */
async function checkInside(input: DoctorInput): Promise<DoctorSection[]> {
  const context = await input.open();
  try {
    const { db } = context.diagnostics;
    const [sessions, secrets, providers, work, backups] = await Promise.all([
      checkSessions(context),
      checkSecrets(context.diagnostics),
      checkProviders(context.diagnostics),
      checkWork(db),
      checkBackups(db, context.backupEveryHours),
    ]);
    return [
      { title: "Connections", checks: [sessions] },
      { title: "Keys", checks: [secrets] },
      { title: "Providers", checks: providers },
      { title: "Work", checks: work },
      { title: "Backups", checks: backups },
    ];
  } finally {
    await context.close();
  }
}

/** Runs all checks for a support request; changes nothing, and prints no secret. */
export async function examine(input: DoctorInput): Promise<DoctorReport> {
  const { dataDir, backupFolder } = input;
  const [database, portal, ...disks] = await Promise.all([
    checkDatabase(input.databaseUrl),
    checkPortal(input.ownUrl),
    ...(dataDir ? [checkDisk("Data", dataDir)] : []),
    ...(backupFolder ? [checkDisk("Backups", backupFolder)] : []),
  ]);
  const inside = database.isCurrent ? await checkInside(input) : [];
  const sections = [
    { title: "Machine", checks: describeMachine(input.version) },
    { title: "Settings", checks: input.settings },
    { title: "Portal", checks: [portal] },
    { title: "Database", checks: database.checks },
    ...inside,
    { title: "Disk", checks: [...disks, ...(dataDir ? await readPostgresLog(dataDir) : [])] },
  ];
  return { at: new Date().toISOString(), ...finish(sections, input.secrets) };
}

/** The sections without secrets, and the worst status among them. */
export function finish(
  sections: DoctorSection[],
  secrets: readonly string[],
): Pick<DoctorReport, "status" | "sections"> {
  const masked = sections.map(({ title, checks }) => ({
    title,
    checks: checks.map((check) => ({ ...check, text: maskSecrets(check.text, secrets) })),
  }));
  const worst = Math.max(
    ...masked.flatMap(({ checks }) => checks.map(({ status }) => doctorStatuses.indexOf(status))),
  );
  return { status: doctorStatuses[worst] ?? "ok", sections: masked };
}
