import * as contract from "@portal/contract/routes/auth";
import type { FastifyInstance } from "fastify";
import { bindRoute } from "../../http/bind-route.ts";
import type { NoticesContext } from "../notices/service.ts";
import { checkPasswordLink, usePasswordLink } from "./password-links.ts";
import type { AuthContext } from "./service.ts";

/** Choosing a password by a one-time link; the token comes in the body, so that no log has it. */
export function registerPasswordLinkRoutes(
  app: FastifyInstance,
  context: AuthContext & { notices: NoticesContext },
): void {
  bindRoute(app, contract.checkPasswordLink, ({ body, request }) =>
    checkPasswordLink(context, { token: body.token, address: request.ip }),
  );
  bindRoute(app, contract.usePasswordLink, async ({ body, request }) => {
    const userId = await usePasswordLink(context, { ...body, address: request.ip });
    request.log.info({ userId }, "password chosen by a link");
    return { message: "Your password has been changed successfully." };
  });
}
