import type { IncomingMessage } from "node:http";
import { leadStatements, newestLeads, prepareStatements, serveJson } from "./bare.ts";

/**
 * The minimum that a server needs for leads and calls: one statement for each request, whose JSON PostgreSQL builds and the server passes
 * on. No session, validation, log, timeline, audit, outbox or metrics. Started as a process of its own with PORT and DATABASE_URL.
 */
const { ask, uncounted } = prepareStatements({
  ...leadStatements,
  page: newestLeads("l.status = $1 and l.priority = $2 and l.search like $3"),
  filtered: newestLeads("l.status = $1 and l.priority = $2"),
  searched: newestLeads("l.search like $1"),
  rep: newestLeads("l.assigned_to = $1", ""),
});

function answer({ method }: IncomingMessage, { pathname, searchParams }: URL, body: string): Promise<string> {
  const id = Number(pathname.slice("/api/leads/".length));
  if (method === "PATCH") return ask("patch", [id, JSON.parse(body).notes]);
  if (method === "POST") {
    const { leadId, outcome, duration, notes } = JSON.parse(body);
    return uncounted("log", [leadId, Number(searchParams.get("user")), outcome, duration, notes]);
  }
  if (id > 0) return ask("lead", [id]);
  const [status, priority, search] = ["status", "priority", "search"].map((name) => searchParams.get(name));
  if (status)
    return search ? ask("page", [status, priority, `%${search}%`]) : ask("filtered", [status, priority]);
  if (search) return ask("searched", [`%${search}%`]);
  return searchParams.has("rep") ? ask("rep", [searchParams.get("rep")]) : Promise.resolve("[]");
}

serveJson(answer);
