import type { DoctorReport } from "./types.ts";

const nameWidth = 30;

/** The report as plain text, what is wrong once more at its end. */
export function presentReport({ at, sections }: DoctorReport): string {
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
