import path from "node:path";
import { pino } from "pino";
import manifest from "../package.json" with { type: "json" };
import { createDeps, diagnosticsContext } from "./deps.ts";
import { type Env, EnvError, readEnv, withFiles } from "./env.ts";
import { variablesSchema } from "./env-schema.ts";
import type { DoctorReport } from "./features/doctor/check-sections.ts";
import { listSecrets, listSettings } from "./features/doctor/list-settings.ts";
import { type DoctorContext, examine, finish } from "./features/doctor/service.ts";

const nameWidth = 30;

/** The report as plain text, with the problems repeated at its end. */
function presentReport({ at, sections }: DoctorReport): string {
  const line = ({ status, name, text }: DoctorReport["sections"][number]["checks"][number]) =>
    `  ${status.padEnd(5)} ${name.padEnd(nameWidth)} ${text}`;
  const all = sections.flatMap(({ title, checks }) => checks.map((check) => ({ title, ...check })));
  const wrong = all.filter(({ status }) => status === "fail");
  const toSee = all.filter(({ status }) => status === "warn").length;
  return [
    `Portal doctor, ${at}`,
    ...sections.flatMap(({ title, checks }) => ["", title, ...checks.map(line)]),
    "",
    `${wrong.length} wrong, ${toSee} to look at.`,
    ...wrong.map(({ title, name, text }) => `- ${title}, ${name}: ${text}`),
    "",
  ].join("\n");
}

async function open(env: Env): Promise<DoctorContext & { close: () => Promise<void> }> {
  const deps = await createDeps(env, pino({ level: "silent" }));
  return {
    diagnostics: diagnosticsContext(deps),
    events: deps.events,
    backupEveryHours: env.backup.folder === null ? null : env.backup.everyHours,
    close: deps.close,
  };
}

async function report(): Promise<DoctorReport> {
  const given = process.env;
  const names = Object.keys(variablesSchema.shape);
  const settings = listSettings(names, given);
  const secrets = listSecrets(names, withFiles(given).values);
  const { DATA_DIR: dataDir } = given;
  try {
    const env = readEnv(given);
    return await examine({
      version: manifest.version,
      settings,
      secrets,
      databaseUrl: env.databaseDirectUrl,
      ownUrl: `http://${["0.0.0.0", "::"].includes(env.host) ? "127.0.0.1" : env.host}:${env.port}`,
      dataDir: dataDir ? path.resolve(dataDir) : null,
      backupFolder: env.backup.folder,
      open: () => open(env),
    });
  } catch (error) {
    // Unexpected errors are reported here too: printed in another way, they could reveal secrets.
    const texts = error instanceof EnvError ? error.faults : [String((error as Error).stack)];
    const faults = texts.map((text) => ({ name: "Not looked at", status: "fail" as const, text }));
    return {
      at: new Date().toISOString(),
      ...finish([{ title: "Settings", checks: [...settings, ...faults] }], secrets),
    };
  }
}

const isJson = process.argv.includes("--json");

const made = await report();
process.stdout.write(isJson ? `${JSON.stringify(made, null, 2)}\n` : presentReport(made));
process.exitCode = made.status === "fail" ? 1 : 0;
