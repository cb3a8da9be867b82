import type { RouteResponse } from "@portal/contract/route";
import { getApiDocument } from "@portal/contract/routes/integrations";
import type { FastifyInstance } from "fastify";
import { bindRoute } from "../../http/bind-route.ts";

/** The page that lists the endpoints. */
const pagePath = "/integrations?tab=api";

/** What this API offers, for those signed in: the document, and for a browser's address bar the page that shows it. */
export function registerApiDocs(app: FastifyInstance): void {
  const document = () => app.swagger() as RouteResponse<typeof getApiDocument>;
  bindRoute(app, getApiDocument, async () => document());

  app.get("/api/docs", { config: { access: "user" }, schema: { hide: true } }, async (request, reply) => {
    reply.header("vary", "accept");
    const isBrowser = request.headers.accept?.includes("text/html") ?? false;
    return isBrowser ? reply.redirect(pagePath) : document();
  });
}
