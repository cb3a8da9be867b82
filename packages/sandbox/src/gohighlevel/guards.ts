import { timingSafeEqual } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import { GHL_LOCATION_ID, GHL_TOKEN } from "../defaults.ts";
import { GhlError, ghlErrorBody, ghlFailure } from "./errors.ts";
import type { Manners } from "./manners.ts";

const VERSIONS = ["2021-04-15", "2021-07-28", "2023-02-21"];

/** Refuses a request without the location's token or without a known Version header. */
export function checkHeaders(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
  const given = Buffer.from(request.headers.authorization ?? "");
  const wanted = Buffer.from(`Bearer ${GHL_TOKEN}`);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) {
    return reply.code(401).send(ghlFailure(401, request.url));
  }
  const { version } = request.headers;
  if (version === undefined) return reply.code(401).send(ghlErrorBody(401, "version header was not found."));
  if (!VERSIONS.includes(String(version))) {
    return reply.code(401).send(ghlErrorBody(401, "version header is invalid."));
  }
}

/** Errors: `GhlError` 422 without a location, 403 for one the token does not belong to. */
export function requireLocation(locationId: unknown): void {
  if (typeof locationId !== "string" || locationId === "") {
    throw new GhlError(422, ["locationId should not be empty", "locationId must be a string"]);
  }
  if (locationId !== GHL_LOCATION_ID) {
    throw new GhlError(403, "The token does not have access to this location.");
  }
}

/** Large pages of large accounts take their time. */
export async function beSlow({ slowMs, slowAbove }: Manners, records: number): Promise<void> {
  if (slowMs > 0 && records > slowAbove) await sleep(slowMs, undefined, { ref: false });
}
