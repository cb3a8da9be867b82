import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { chromium as playwrightChromium } from "@playwright/test";
import { root } from "./environment.ts";
import { PlainError } from "./plain-error.ts";

/** A Chromium that starts on this machine, and its environment variables. */
export type Chromium = { executablePath: string; env: Record<string, string> };

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const macPaths = ["/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"];

const starts = ({ executablePath, env }: Chromium): boolean =>
  spawnSync(executablePath, ["--version"], { env: { ...process.env, ...env }, stdio: "ignore" }).status === 0;

const findInstalled = (): Chromium | undefined =>
  [
    ...(process.env.PATH ?? "").split(delimiter).flatMap((folder) => names.map((name) => join(folder, name))),
    ...macPaths,
    playwrightChromium.executablePath(),
  ]
    .filter((path) => existsSync(path))
    .map((executablePath) => ({ executablePath, env: {} }))
    .find(starts);

/** The package's own configuration expects fonts in a fixed folder. */
const fontConfig = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir prefix="relative">fonts-cache</cachedir>
</fontconfig>
`;

/** The package's browser, unpacked once for each version into .cache. */
const unpack = (): Chromium | undefined => {
  if (process.platform !== "linux") return undefined;
  const manifest = join(root, "node_modules/@sparticuz/chromium/package.json");
  const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };
  const cache = join(root, ".cache");
  const folder = join(cache, `chromium-${version}`);
  if (!existsSync(folder)) {
    mkdirSync(cache, { recursive: true });
    const half = mkdtempSync(`${folder}-`);
    const script = join(import.meta.dirname, "unpack-chromium.ts");
    const done = spawnSync(process.execPath, [script], {
      env: { ...process.env, TMPDIR: half },
      stdio: ["ignore", "ignore", "inherit"],
    });
    writeFileSync(join(half, "fonts.conf"), fontConfig);
    if (done.status === 0) {
      // A copy unpacked by root is readable for everybody who uses this folder.
      for (const path of [half, join(half, "chromium")]) chmodSync(path, 0o755);
      renameSync(half, folder);
    } else rmSync(half, { recursive: true, force: true });
  }
  const found = {
    executablePath: join(folder, "chromium"),
    env: { LD_LIBRARY_PATH: join(folder, "al2023/lib"), FONTCONFIG_FILE: join(folder, "fonts.conf") },
  };
  return existsSync(found.executablePath) && starts(found) ? found : undefined;
};

/**
 * Finds a Chromium that starts: the one named by CHROMIUM, the system's, or the package's. Errors: `PlainError` with the command that
 * installs one.
 */
export const findChromium = (): Chromium => {
  const named = process.env.CHROMIUM;
  if (named) {
    const chromium = { executablePath: named, env: {} };
    if (starts(chromium)) return chromium;
    throw new PlainError(`CHROMIUM names ${named}, which does not start.`);
  }
  const found = findInstalled() ?? unpack();
  if (found) return found;
  throw new PlainError(
    "No Chromium starts on this machine. Install one with `npx playwright install --with-deps chromium`, or name one in CHROMIUM.",
  );
};
