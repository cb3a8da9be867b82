import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTestDatabase } from "../../testing/test-database.ts";
import { checkServerVersion, startFaultOf } from "./database-fault.ts";
import { migrateDatabase } from "./migrate.ts";
import journal from "./migrations/meta/_journal.json" with { type: "json" };

/** The error of a start with the database at `url`. */
async function faultOf(url: string): Promise<{ message: string; passes: boolean }> {
  const error = await migrateDatabase(url).then(
    () => null,
    (reason: unknown) => reason,
  );
  const fault = startFaultOf(error, url);
  if (!fault) throw error ?? new Error("the start went well");
  expect(fault.message).not.toContain("\n");
  return { message: fault.message, passes: fault.passes };
}

/** A server that answers the first packet of each connection with `answer`. */
async function answering(answer: Buffer): Promise<string> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => socket.write(answer));
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  return `postgresql://portal:wrong@127.0.0.1:${port}/portal`;
}

/** PostgreSQL's ErrorResponse: severity, code and message. */
function refusal(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.from("E\0\0\0\0");
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

describe("the start of the server", () => {
  it.each([
    ["28P01", "password authentication failed", "refuses the password of the role"],
    ["28000", 'no pg_hba.conf entry for host "10.0.0.1"', "does not let the role"],
    ["08P01", "unsupported startup parameter: statement_timeout", "A connection pooler needs"],
  ])("reports a database error in one sentence: %s", async (code, message, sentence) => {
    const fault = await faultOf(await answering(refusal(code, message)));
    expect(fault).toEqual({ message: expect.stringContaining(sentence), passes: false });
  });

  it("retries while the database starts, and when nothing listens", async () => {
    const starting = await faultOf(await answering(refusal("57P03", "the database system is starting up")));
    expect(starting).toEqual({ message: expect.stringContaining("does not answer (57P03)"), passes: true });
    const nobody = await faultOf("postgresql://portal@127.0.0.1:1/portal");
    expect(nobody).toEqual({ message: expect.stringContaining("127.0.0.1:1 does not answer"), passes: true });
  });

  it("reports a server without TLS", async () => {
    const { message } = await faultOf(`${await answering(Buffer.from("N"))}?sslmode=verify-full`);
    expect(message).toContain("takes no TLS");
  });

  it("reports an untrusted certificate, with the setting to add", () => {
    const error = Object.assign(new Error("self-signed certificate in certificate chain"), {
      code: "SELF_SIGNED_CERT_IN_CHAIN",
    });
    expect(startFaultOf(error, "postgresql://portal@db.example.com/portal")?.message).toContain(
      "sslmode=verify-full&sslrootcert=",
    );
  });

  it("reports a missing file of the certificate authority", async () => {
    const { message } = await faultOf("postgresql://portal@127.0.0.1/portal?sslrootcert=/nowhere/ca.pem");
    expect(message).toContain("/nowhere/ca.pem");
  });

  it("reports an invalid database URL, without its password", async () => {
    const { message } = await faultOf("postgresql://portal:a/b@c:d/portal");
    expect(message).toMatch(/^DATABASE_URL cannot be read/);
    expect(message).not.toContain("a/b");
  });

  it("reports a version that is too old", () => {
    expect(() => checkServerVersion(140_011)).toThrow("PostgreSQL 14; the portal needs 15 or newer");
    expect(() => checkServerVersion(150_000)).not.toThrow();
  });

  it("reports an unknown database, and a role that may not create the schema", async () => {
    const { url, drop } = await createTestDatabase();
    const admin = new pg.Client({ connectionString: url });
    await admin.connect();
    const name = `bare_${randomBytes(6).toString("hex")}`;
    onTestFinished(async () => {
      await admin.query(`drop database if exists ${name}`);
      await admin.query(`drop role if exists ${name}`);
      await admin.end();
      await drop();
    });
    await admin.query(`create role ${name} login`);
    await admin.query(`create database ${name}`);
    const bare = new URL(url);
    bare.pathname = `/${name}`;
    bare.username = name;
    expect((await faultOf(bare.toString())).message).toContain(`GRANT CREATE ON DATABASE "${name}"`);
    bare.pathname = "/not_there";
    expect((await faultOf(bare.toString())).message).toContain(`There is no database "not_there"`);
  });
});

// A migration dated before one that a database already has never runs there.
it("every migration has a later date than those before it", () => {
  const times = journal.entries.map(({ when }) => when);
  expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
});
