import { timingSafeEqual } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import { GHL_LOCATION_ID, GHL_TOKEN } from "../defaults.ts";
import type { AppData } from "./app-data.ts";
import { GhlError, ghlErrorBody, ghlFailure } from "./errors.ts";
import type { Manners } from "./manners.ts";

const VERSIONS = ["2021-04-15", "2021-07-28", "2023-02-21"];

/** The location of a request's token: the private one, or the app's. Undefined for other tokens. */
function locationOf(request: FastifyRequest, app: AppData): string | undefined {
  const given = Buffer.from(request.headers.authorization ?? "");
  const wanted = Buffer.from(`Bearer ${GHL_TOKEN}`);
  if (given.length === wanted.length && timingSafeEqual(given, wanted)) return GHL_LOCATION_ID;
  const granted = app.locationsOf(String(given).replace(/^Bearer /, ""));
  return granted?.length === 1 ? granted[0] : undefined;
}

/** Refuses a request without a location's token or without a known Version header. */
export function checkHeaders(
  request: FastifyRequest,
  reply: FastifyReply,
  app: AppData,
): FastifyReply | undefined {
  const locationId = locationOf(request, app);
  if (locationId === undefined) return reply.code(401).send(ghlFailure(401, request.url));
  // Only the first location has data besides its name.
  const ownName = request.url.split("?", 1)[0] === `/ghl/locations/${locationId}`;
  if (locationId !== GHL_LOCATION_ID && !ownName)
    return reply.code(403).send(ghlErrorBody(403, "The token does not have access to this location."));
  const { version } = request.headers;
  if (version === undefined) return reply.code(401).send(ghlErrorBody(401, "version header was not found."));
  if (!VERSIONS.includes(String(version))) {
    return reply.code(401).send(ghlErrorBody(401, "version header is invalid."));
  }
}

/** Errors: `GhlError` 422 without a location, 403 if the token does not belong to it. */
export function requireLocation(locationId: unknown): void {
  if (typeof locationId !== "string" || locationId === "") {
    throw new GhlError(422, ["locationId should not be empty", "locationId must be a string"]);
  }
  if (locationId !== GHL_LOCATION_ID) {
    throw new GhlError(403, "The token does not have access to this location.");
  }
}

/** Delays large pages, which are slow in large accounts. */
export async function beSlow({ slowMs, slowAbove }: Manners, records: number): Promise<void> {
  if (slowMs > 0 && records > slowAbove) await sleep(slowMs, undefined, { ref: false });
}
