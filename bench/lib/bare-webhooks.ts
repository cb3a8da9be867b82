import { createServer } from "node:http";
import pg from "pg";

/**
 * The minimum that a server needs for a provider's event: reads it, inserts the same row, responds. No signature, log or validation.
 * Started as a process of its own with PORT and DATABASE_URL.
 */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 8 });

function callRow(body: string, url: string): string[] {
  const params = Object.fromEntries(new URLSearchParams(body));
  const callId = Number(new URL(url, "http://localhost").searchParams.get("call"));
  const key = ["rep-status", callId, params.CallSid, params.CallStatus, params.SequenceNumber].join(":");
  return ["twilio", key, "rep-status", JSON.stringify({ callId, params })];
}

function leadRow(body: string): string[] {
  const { eventId } = JSON.parse(body) as { eventId: string };
  return ["lead-webhook", eventId, "lead", JSON.stringify({ contentType: "application/json", body })];
}

const server = createServer((request, response) => {
  if (request.method === "GET") {
    response.end("ok");
    return;
  }
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", async () => {
    const body = Buffer.concat(chunks).toString();
    const isLead = request.headers["content-type"] === "application/json";
    const row = isLead ? leadRow(body) : callRow(body, request.url ?? "/");
    await pool.query(
      `insert into bare_events (source, event_key, kind, payload) values ($1, $2, $3, $4)
       on conflict (source, event_key) do nothing`,
      row,
    );
    response.writeHead(200, { "content-type": "text/xml" }).end("<Response/>");
  });
});

server.listen(Number(process.env.PORT), "127.0.0.1");
process.stdin.resume().on("end", () => process.exit(0));
process.on("SIGTERM", () => process.exit(0));
