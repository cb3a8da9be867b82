import type { FastifyReply, FastifyRequest } from "fastify";

/** A page of another site may not steer the sandbox through someone's browser. */
export async function refuseOtherSites(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { origin, host } = request.headers;
  if (origin === undefined || origin === `http://${host}`) return;
  await reply.code(403).send({ message: "Requests from other sites are refused" });
}
