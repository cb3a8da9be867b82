import type { Route, RouteRequest, RouteResponse } from "@portal/contract/route";
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from "fastify";
import type { AuthSession } from "./session.ts";

/** What a handler gets: validated input, who is asking, and the raw request for streams. */
export type HandlerContext<R extends Route> = RouteRequest<R> & {
  /** The session; on public routes it is not looked up. */
  actor: AuthSession;
  request: FastifyRequest;
  reply: FastifyReply;
};

export type Handler<R extends Route> = (
  context: HandlerContext<R>,
) => Promise<RouteResponse<R> | FastifyReply>;

/**
 * Binds a contract route: guard before validation, validation of what comes in, filtering of what goes out.
 * A handler that has answered by itself (stream, page) returns the reply.
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
    // A request without a body sends none of the fields: the schema says whether that will do.
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
