import type { Route, RouteRequest, RouteResponse } from "@portal/contract/route";
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from "fastify";
import type { AuthSession } from "./session.ts";

/** Arguments of a handler: validated input, the session, and the raw request for streams. */
export type HandlerContext<R extends Route> = RouteRequest<R> & {
  /** The session. Public routes read none and must not use it. */
  actor: AuthSession;
  request: FastifyRequest;
  reply: FastifyReply;
};

export type Handler<R extends Route> = (
  context: HandlerContext<R>,
) => Promise<RouteResponse<R> | FastifyReply>;

/**
 * Binds a contract route: the guard runs before validation, input is validated, and output is filtered by the schema.
 * A handler that sends its own response (stream, page) returns the reply.
 */
export function bindRoute<R extends Route>(
  app: FastifyInstance,
  route: R,
  handler: Handler<R>,
  options: Pick<RouteShorthandOptions, "bodyLimit" | "onRequest" | "errorHandler"> = {},
): void {
  app.route({
    method: route.method,
    url: route.path,
    ...options,
    schema: {
      summary: route.summary,
      ...(route.params && { params: route.params }),
      ...(route.query && { querystring: route.query }),
      ...(route.body && { body: route.body }),
      response: { 200: route.response },
    },
    // A missing body counts as an empty object: the schema decides whether that is valid.
    ...(route.body && {
      preValidation: (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
        if (request.headers["content-type"] === undefined) request.body ??= {};
        done();
      },
    }),
    handler: (request, reply) =>
      handler({
        params: request.params,
        query: request.query,
        body: request.body,
        actor: request.session,
        request,
        reply,
      } as HandlerContext<R>),
  });
}
