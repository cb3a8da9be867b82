import * as contract from "@portal/contract/routes/account";
import type { FastifyInstance } from "fastify";
import { bindRoute } from "../../../platform/http/bind-route.ts";
import { changePassword } from "../auth/change-password.ts";
import type { AuthContext } from "../auth/service.ts";
import { unlinkProvider } from "../auth/start-provider-sign-in.ts";
import {
  findUserPhoto,
  getSettings,
  type UsersContext,
  updateCallSettings,
  updateInterfaceSettings,
  updateNotificationSettings,
  updateProfile,
} from "./service.ts";

const yearSeconds = 31_536_000;

/**
 * Pictures, for every signed-in user. The headers ensure that they are only data: a fixed type that browsers do not guess, and, opened as a
 * page, no permissions.
 */
function registerPhotoRoutes(app: FastifyInstance, context: UsersContext): void {
  bindRoute(app, contract.getPhoto, async ({ params, request, reply }) => {
    const { type, content, address } = await findUserPhoto(context, params.id);
    // Only the picture that belongs to the address may be cached.
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

/** The user's own account: profile, picture, password, settings. */
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
  bindRoute(app, contract.changePassword, async ({ body, actor, request, reply }) => {
    const passwordHash = await changePassword(context, { ...body, actor, address: request.ip });
    // The new password invalidates all device cookies; this browser gets a new one.
    const { name, attributes, grant } = context.devices;
    reply.setCookie(name, grant(request.cookies[name], { userId: actor.userId, passwordHash }), attributes);
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
