import { getPhoto } from "@portal/contract/routes/account";
import type { FastifyInstance } from "fastify";
import { bindRoute } from "../../http/bind-route.ts";
import { findUserPhoto, type UsersContext } from "./service.ts";

const yearSeconds = 31_536_000;

/**
 * Pictures, for whoever is signed in. They are data and nothing else: of a fixed type that browsers do not guess at, and, opened by
 * themselves, without any right.
 */
export function registerPhotoRoutes(app: FastifyInstance, context: UsersContext): void {
  bindRoute(app, getPhoto, async ({ params, request, reply }) => {
    const { type, content, address } = await findUserPhoto(context, params.id);
    // Only the very picture that the address names may be kept.
    const kept = request.url === address ? `private, max-age=${yearSeconds}, immutable` : "private, no-cache";
    return reply
      .headers({
        "cache-control": kept,
        "content-security-policy": "default-src 'none'; sandbox",
        "content-disposition": "inline",
        "x-content-type-options": "nosniff",
      })
      .type(type)
      .send(content);
  });
}
