import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { root } from "../../scripts/lib/environment.ts";
import { ensureBuilt } from "../../scripts/start/build.ts";
import { type FaultCase, type FaultTest, faultCases } from "./cases.ts";

async function runNode(args: string[], env: Record<string, string> = {}): Promise<boolean> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ...env },
  });
  const [code] = await once(child, "exit");
  return code === 0;
}

/** A title as a pattern for both test runners. */
const pattern = (title: string) => title.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

function runTest({ project, file, title }: FaultTest, env: Record<string, string>): Promise<boolean> {
  if (project === "browser") {
    const filter = title ? ["-g", pattern(title)] : [];
    const config = file.startsWith("bench/") ? ["-c", "bench/faults"] : [];
    const playwright = join(root, "node_modules/@playwright/test/cli.js");
    return runNode([playwright, "test", ...config, file, ...filter], env);
  }
  const filter = title ? ["-t", pattern(title)] : [];
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  return runNode([vitest, "run", "--project", project, file, ...filter], env);
}

/** The case with this number or name. */
export const findCase = (word: string): FaultCase | undefined =>
  faultCases.find(({ name }, index) => name === word || String(index + 1) === word);

/** Runs all tests, benches and checks of the case with this number or name. @returns whether all of them passed */
export async function runCase(word: string): Promise<boolean> {
  const found = findCase(word);
  if (!found) throw new Error(`There is no case ${word}`);
  process.stdout.write(`${faultCases.indexOf(found) + 1} ${found.name}: ${found.what}\n`);
  let isFine = true;
  for (const zone of found.zones ?? [""])
    for (const test of found.tests ?? []) isFine = (await runTest(test, zone ? { TZ: zone } : {})) && isFine;
  for (const args of found.benches ?? [])
    isFine = (await runNode([join(root, "bench/main.ts"), ...args])) && isFine;
  if (!found.run) return isFine;
  await ensureBuilt({ root, target: "server" });
  const faults = await found.run();
  process.stdout.write(`faults ${faults.length}\n${faults.map((fault) => `  ${fault}\n`).join("")}`);
  return isFine && faults.length === 0;
}

/** Names and descriptions of all cases. */
export const listCases = (): string =>
  faultCases.map(({ name, what }, index) => `${String(index + 1).padStart(2)} ${name}: ${what}\n`).join("");
