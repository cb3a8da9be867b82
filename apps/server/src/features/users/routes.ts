import * as contract from "@portal/contract/routes/account";
import type { FastifyInstance } from "fastify";
import { bindRoute } from "../../http/bind-route.ts";
import { changePassword } from "../auth/change-password.ts";
import type { AuthContext } from "../auth/service.ts";
import { unlinkProvider } from "../auth/unlink-provider.ts";
import { registerPhotoRoutes } from "./photo-routes.ts";
import { type UsersContext, updateInterfaceSettings, updateProfile } from "./service.ts";
import { getSettings, updateCallSettings, updateNotificationSettings } from "./settings.ts";

/** One's own account: profile, picture, password, settings (specification §7). */
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
  bindRoute(app, contract.unlinkProvider, async ({ body, actor, request }) => {
    await unlinkProvider(context, { ...body, actor, address: request.ip });
    return { message: "Your account is no longer linked to the login provider." };
  });
  bindRoute(app, contract.updateInterfaceSettings, ({ body, actor }) =>
    updateInterfaceSettings(context, { ...body, userId: actor.userId }),
  );
  bindRoute(app, contract.updateCallSettings, ({ body, actor }) =>
    updateCallSettings(context, { ...body, userId: actor.userId }),
  );
  bindRoute(app, contract.updateNotificationSettings, ({ body, actor }) =>
    updateNotificationSettings(context, { ...body, userId: actor.userId }),
  );
  bindRoute(app, contract.getSettings, ({ actor }) => getSettings(context, actor.userId));
  registerPhotoRoutes(app, context);
}
