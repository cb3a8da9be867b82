import {
  type CheckStatus,
  checkStatuses,
  type DiagnosticCheck,
  type DiagnosticReport,
  type Finding,
  type Integration,
} from "@portal/contract/entities/diagnostics";

/** What a check found, before it is presented. */
export interface Found {
  status: CheckStatus;
  finding: Finding;
  values?: Record<string, number | null | undefined>;
  at?: Date | null;
  detail?: string | null;
}

/** Looks at one thing, or at several with one question. May throw: that is a finding too. */
export interface Check {
  name: DiagnosticCheck["name"];
  look: () => Promise<Found>;
}

/** Longer than the adapters' own limits, so that what they say of a silence comes first. */
const limitMs = 10_000;

function present(name: Check["name"], { status, finding, values = {}, at, detail }: Found): DiagnosticCheck {
  const told = Object.entries(values).filter(([, value]) => typeof value === "number");
  return {
    name,
    status,
    finding,
    values: Object.fromEntries(told) as Record<string, number>,
    at: at?.toISOString() ?? null,
    detail: detail ?? null,
  };
}

async function bounded<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${limitMs / 1000} s`)), limitMs);
  });
  try {
    return await Promise.race([work, silence]);
  } finally {
    clearTimeout(timer);
  }
}

async function run({ name, look }: Check, onError: (error: unknown) => void): Promise<DiagnosticCheck> {
  try {
    return present(name, await bounded(look()));
  } catch (error) {
    onError(error);
    return present(name, { status: "fail", finding: "check_failed" });
  }
}

const byBadness = (a: CheckStatus, b: CheckStatus) => checkStatuses.indexOf(b) - checkStatuses.indexOf(a);

/** Runs the checks side by side; one that fails or hangs stands for itself and keeps no other waiting. */
export async function runChecks(
  integration: Integration,
  checks: readonly Check[],
  onError: (error: unknown) => void,
): Promise<DiagnosticReport> {
  const done = await Promise.all(checks.map((check) => run(check, onError)));
  const isOff = done[0]?.name === "credentials" && done[0].status === "off";
  return {
    integration,
    status: isOff
      ? "off"
      : (done
          .map(({ status }) => status)
          .filter((status) => status !== "off")
          .sort(byBadness)[0] ?? "off"),
    checkedAt: new Date().toISOString(),
    checks: done,
  };
}
