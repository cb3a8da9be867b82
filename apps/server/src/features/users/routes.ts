import * as contract from "@portal/contract/routes/account";
import type { FastifyInstance } from "fastify";
import { bindRoute } from "../../http/bind-route.ts";
import { changePassword } from "../auth/change-password.ts";
import type { AuthContext } from "../auth/service.ts";
import { type UsersContext, updateCallSettings, updateInterfaceSettings, updateProfile } from "./service.ts";

/** One's own account: profile, password, theme and language (specification §7). */
export function registerUserRoutes(app: FastifyInstance, context: UsersContext & AuthContext): void {
  bindRoute(
    app,
    contract.updateProfile,
    async ({ body, actor }) => {
      const user = await updateProfile(context, { ...body, userId: actor.userId });
      context.sessions.forget(actor.userId);
      return user;
    },
    { bodyLimit: 3 * 1024 * 1024 },
  );
  bindRoute(app, contract.changePassword, async ({ body, actor, request }) => {
    await changePassword(context, { ...body, actor, address: request.ip });
    return { message: "Your password has been changed successfully." };
  });
  bindRoute(app, contract.updateInterfaceSettings, ({ body, actor }) =>
    updateInterfaceSettings(context, { ...body, userId: actor.userId }),
  );
  bindRoute(app, contract.updateCallSettings, ({ body, actor }) =>
    updateCallSettings(context, { ...body, userId: actor.userId }),
  );
}
