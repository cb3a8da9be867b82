import { type ChildProcess, spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { type Database, openDatabase } from "../../apps/server/src/platform/db/client.ts";
import { migrateDatabase } from "../../apps/server/src/platform/db/migrate.ts";
import { freePort } from "../../apps/server/src/testing/server-process.ts";
import { asAccount, chooseAccount, isRoot } from "../../scripts/lib/postgres-account.ts";
import { readPostmaster } from "../../scripts/lib/postmaster.ts";

const timeoutMs = 120_000;
const versions = "/usr/lib/postgresql";

/** Required programs; all are Debian packages. */
const programs = { patroni: "/usr/bin/patroni", etcd: "/usr/bin/etcd", haproxy: "/usr/sbin/haproxy" };

/** What this machine lacks for a cluster, as a sentence; null if nothing. */
export function missingForCluster(): string | null {
  const missing = Object.entries(programs).flatMap(([name, file]) => (existsSync(file) ? [] : [name]));
  if (!existsSync(versions)) missing.push("postgresql");
  return missing.length === 0
    ? null
    : `Missing: ${missing.join(", ")}. apt-get install --no-install-recommends patroni etcd-server haproxy postgresql`;
}

/** One server with the Patroni that manages it. */
export interface Node {
  name: string;
  port: number;
  /** Sends a signal to all its processes: Patroni, PostgreSQL and PostgreSQL's children. */
  signal(how: NodeJS.Signals): void;
  /** Starts Patroni again, which starts PostgreSQL. */
  start(): void;
  /** Whether Patroni reports it as the primary. */
  isPrimary(): Promise<boolean>;
}

export interface Cluster {
  /** Through HAProxy, which asks Patroni for the primary. */
  url: string;
  database: Database;
  nodes: Node[];
  /** Waits for one primary and two standbys that follow it, one of them synchronously; returns the primary. */
  untilWhole(): Promise<Node>;
  /** Copies the logs of all parts to a folder that stays, and returns it. */
  keepLogs(): string;
  stop(): Promise<void>;
}

const childrenOf = (pid: number): number[] => {
  try {
    const own = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
    return own === ""
      ? []
      : own
          .split(/\s+/)
          .map(Number)
          .flatMap((child) => [child, ...childrenOf(child)]);
  } catch {
    return [];
  }
};

const send = (pid: number, how: NodeJS.Signals): void => {
  try {
    process.kill(pid, how);
  } catch {
    // The process has already ended.
  }
};

/** Three nodes, etcd and HAProxy on the loopback address, with strict synchronous replication. */
export async function startPatroniCluster(): Promise<Cluster> {
  const missing = missingForCluster();
  if (missing) throw new Error(missing);
  const folder = mkdtempSync(join(tmpdir(), "portal-failover-"));
  const account = isRoot() ? chooseAccount({ ownerUids: [] }) : undefined;
  const own = (path: string) => account && chownSync(path, account.uid, account.gid);
  chmodSync(folder, 0o755);
  own(folder);
  const bin = join(versions, readdirSync(versions).sort((a, b) => Number(b) - Number(a))[0] ?? "", "bin");
  const running = new Set<ChildProcess>();
  const run = (file: string, args: string[], log: string): ChildProcess => {
    const logFile = join(folder, `${log}.log`);
    const child = spawn("/bin/sh", ["-c", 'exec "$0" "$@" >> "$LOG" 2>&1', file, ...args], {
      ...asAccount(account),
      cwd: "/",
      env: { PATH: `${bin}:${process.env.PATH}`, LOG: logFile, HOME: folder, LC_ALL: "C.UTF-8" },
      stdio: "ignore",
    });
    running.add(child);
    child.once("exit", () => running.delete(child));
    return child;
  };
  const [etcdPort, peerPort, proxyPort] = [await freePort(), await freePort(), await freePort()];
  const etcdUrl = `http://127.0.0.1:${etcdPort}`;
  const peerUrl = `http://127.0.0.1:${peerPort}`;
  run(
    programs.etcd,
    [
      ...["--name", "one", "--data-dir", join(folder, "etcd"), "--log-level", "error", "--enable-v2"],
      ...["--listen-client-urls", etcdUrl, "--advertise-client-urls", etcdUrl],
      ...[
        "--listen-peer-urls",
        peerUrl,
        "--initial-advertise-peer-urls",
        peerUrl,
        "--initial-cluster",
        `one=${peerUrl}`,
      ],
    ],
    "etcd",
  );

  const makeNode = async (name: string): Promise<Node & { restPort: number }> => {
    const [port, restPort] = [await freePort(), await freePort()];
    const place = join(folder, name);
    mkdirSync(place, { mode: 0o700 });
    own(place);
    const data = join(place, "data");
    const file = join(place, "patroni.yml");
    // JSON is valid YAML.
    writeFileSync(file, JSON.stringify(settingsOf({ name, port, restPort, place, data, bin, etcdPort })));
    own(file);
    let patroni: ChildProcess | undefined;
    return {
      name,
      port,
      restPort,
      start() {
        patroni = run(programs.patroni, [file], name);
      },
      signal(how) {
        const postmaster = readPostmaster(data)?.pid;
        const roots = [patroni?.pid, postmaster].filter((pid) => pid !== undefined);
        for (const pid of new Set(roots.flatMap((root) => [root, ...childrenOf(root)]))) send(pid, how);
      },
      async isPrimary() {
        const request = { signal: AbortSignal.timeout(500) };
        const answer = await fetch(`http://127.0.0.1:${restPort}/primary`, request).catch(() => null);
        await answer?.body?.cancel();
        return answer?.ok ?? false;
      },
    };
  };
  const nodes: Awaited<ReturnType<typeof makeNode>>[] = [];
  for (const name of ["one", "two", "three"]) nodes.push(await makeNode(name));
  const proxyFile = join(folder, "haproxy.cfg");
  writeFileSync(proxyFile, proxySettings(proxyPort, nodes));
  const url = `postgresql://portal@127.0.0.1:${proxyPort}/portal`;
  const stop = async () => {
    for (const node of nodes) node.signal("SIGKILL");
    for (const child of running) child.kill("SIGKILL");
    while (running.size > 0) await sleep(50);
    await sleep(500);
    rmSync(folder, { recursive: true, force: true });
  };

  const untilWhole = async (): Promise<Node> => {
    for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; await sleep(200)) {
      const states = await Promise.all(nodes.map((node) => node.isPrimary()));
      const primaries = nodes.filter((_, index) => states[index]);
      if (primaries.length !== 1 || !primaries[0]) continue;
      const followers = await readFollowers(primaries[0].port).catch((): string[] => []);
      if (followers.length === 2 && followers.includes("sync")) return primaries[0];
    }
    throw new Error(`the cluster is not whole after ${timeoutMs / 1_000} s (logs in ${folder})`);
  };

  try {
    for (const node of nodes) node.start();
    const primary = await untilWhole();
    await ask(primary.port, "create role portal login");
    await ask(primary.port, "create database portal owner portal");
    run(programs.haproxy, ["-f", proxyFile, "-db"], "haproxy");
    const database = openDatabase({ url, onError: () => undefined });
    for (let tries = 0; ; tries += 1)
      try {
        await migrateDatabase(url);
        break;
      } catch (error) {
        if (tries === 20) throw error;
        await sleep(500);
      }
    return {
      url,
      database,
      nodes,
      untilWhole,
      keepLogs() {
        const kept = mkdtempSync(join(tmpdir(), "portal-failover-logs-"));
        for (const file of globSync("{*.log,*/data/log/*}", { cwd: folder }))
          copyFileSync(join(folder, file), join(kept, file.replaceAll("/", "-")));
        return kept;
      },
      async stop() {
        await database.close();
        await stop();
      },
    };
  } catch (error) {
    for (const node of nodes) node.signal("SIGKILL");
    for (const child of running) child.kill("SIGKILL");
    throw error;
  }
}

async function ask<Row extends object>(port: number, statement: string): Promise<Row[]> {
  const client = new Client({
    connectionString: `postgresql://postgres@127.0.0.1:${port}/postgres`,
    connectionTimeoutMillis: 1_000,
  });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}

async function readFollowers(port: number): Promise<string[]> {
  const rows = await ask<{ how: string }>(
    port,
    "select sync_state as how from pg_stat_replication where state = 'streaming'",
  );
  return rows.map(({ how }) => how);
}

/** Patroni's settings as advised in docs/operations.md; on the loopback address no password is needed. */
function settingsOf(node: {
  name: string;
  port: number;
  restPort: number;
  place: string;
  data: string;
  bin: string;
  etcdPort: number;
}): object {
  const { name, port, restPort, place, data, bin, etcdPort } = node;
  const login = (username: string) => ({ username, password: "bench" });
  return {
    scope: "portal",
    name,
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
    // Patroni 3.0.2, stopped and resumed, takes the leader's key back through etcd's v3 API even if another node holds it by then, and
    // writes acknowledged by the new primary are lost; through v2 it compares the holder first.
    etcd: { host: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 2,
        retry_timeout: 5,
        master_start_timeout: 0,
        synchronous_mode: true,
        synchronous_mode_strict: true,
        postgresql: {
          use_pg_rewind: true,
          use_slots: true,
          parameters: { max_connections: 100, wal_keep_size: "256MB", wal_log_hints: "on" },
        },
      },
      initdb: [{ encoding: "UTF8" }, { locale: "C.UTF-8" }, "data-checksums"],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: data,
      bin_dir: bin,
      pgpass: join(place, "pgpass"),
      authentication: {
        superuser: login("postgres"),
        replication: login("replicator"),
        rewind: login("rewinder"),
      },
      pg_hba: [
        "host all all 127.0.0.1/32 trust",
        "host replication all 127.0.0.1/32 trust",
        "local all all trust",
      ],
      parameters: { unix_socket_directories: place, shared_buffers: "128MB", log_line_prefix: "%m [%p] " },
    },
  };
}

function proxySettings(port: number, nodes: { name: string; port: number; restPort: number }[]): string {
  const servers = nodes.map(
    (node) => `  server ${node.name} 127.0.0.1:${node.port} check port ${node.restPort}`,
  );
  return `global
  maxconn 500
defaults
  mode tcp
  timeout connect 2s
  timeout client 24h
  timeout server 24h
  timeout check 1s
listen portal
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fastinter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join("\n")}
`;
}
