import { createServer } from "node:http";
import pg from "pg";

/**
 * The least a server can do with a provider's event: reads the form, inserts the same row, answers. No signature, no log, no
 * check. Started as a process of its own with PORT and DATABASE_URL.
 */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 8 });

const server = createServer((request, response) => {
  if (request.method === "GET") {
    response.end("ok");
    return;
  }
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", async () => {
    const params = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
    const callId = Number(new URL(request.url ?? "/", "http://localhost").searchParams.get("call"));
    const key = ["rep-status", callId, params.CallSid, params.CallStatus, params.SequenceNumber].join(":");
    await pool.query(
      `insert into bare_events (source, event_key, kind, payload) values ($1, $2, $3, $4)
       on conflict (source, event_key) do nothing`,
      ["twilio", key, "rep-status", JSON.stringify({ callId, params })],
    );
    response.writeHead(200, { "content-type": "text/xml" }).end("<Response/>");
  });
});

server.listen(Number(process.env.PORT), "127.0.0.1");
process.stdin.resume().on("end", () => process.exit(0));
process.on("SIGTERM", () => process.exit(0));
