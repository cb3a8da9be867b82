import type { FastifyReply, FastifyRequest } from "fastify";

/** Refuses requests from pages of other sites, which could otherwise control the sandbox through somebody's browser. */
export async function refuseOtherSites(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { origin, host } = request.headers;
  if (origin === undefined || origin === `http://${host}`) return;
  await reply.code(403).send({ message: "Requests from other sites are refused" });
}
