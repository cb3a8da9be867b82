import * as contract from "@portal/contract/routes/second-factor";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { bindRoute } from "../../../platform/http/bind-route.ts";
import { sessionCookieName } from "../auth/create-sign-in-library.ts";
import type { SignedIn } from "../auth/service.ts";
import {
  addPasskey,
  beginPasskey,
  beginPasskeySignIn,
  endPasskey,
  renamePasskey,
  signInByPasskey,
} from "./check-passkey.ts";
import {
  beginTotp,
  completeSignIn,
  confirmTotp,
  endTotp,
  readSecondFactor,
  renewRecoveryCodes,
  type SecondFactorContext,
} from "./service.ts";

/** Routes of the second factor: the step between password and portal, and its setup. */
export function registerSecondFactorRoutes(
  app: FastifyInstance,
  context: SecondFactorContext & { secure: boolean },
): void {
  bindRoute(app, contract.getSecondFactor, ({ actor }) => readSecondFactor(context, actor));

  /** Sets the cookies of a sign-in and returns the response's body. */
  function admit({ user, cookies, device }: SignedIn, request: FastifyRequest, reply: FastifyReply) {
    request.log.info({ userId: user.id }, "signed in with a second factor");
    for (const cookie of cookies) reply.header("set-cookie", cookie);
    reply.setCookie(context.devices.name, device, context.devices.attributes);
    return { message: "Signed in", user };
  }
  const from = (request: FastifyRequest) => ({
    address: request.ip,
    userAgent: request.headers["user-agent"] ?? "",
    deviceCookie: request.cookies[context.devices.name],
  });

  bindRoute(app, contract.verifySecondFactor, async ({ actor, body, request, reply }) =>
    admit(await completeSignIn(context, { actor, code: body.code, ...from(request) }), request, reply),
  );
  bindRoute(app, contract.beginPasskeyLogin, () => beginPasskeySignIn(context));
  bindRoute(app, contract.passkeyLogin, async ({ body, request, reply }) => {
    const session = await context.sessions.readAny(request, reply);
    const waiting = session?.pending === "code" ? session : null;
    const oldCookie = request.cookies[sessionCookieName(context.secure)];
    const input = { credential: body.credential, waiting, oldCookie, ...from(request) };
    return admit(await signInByPasskey(context, input), request, reply);
  });

  bindRoute(app, contract.beginTotp, ({ actor, body, request }) =>
    beginTotp(context, { actor, address: request.ip, confirmation: body }),
  );
  bindRoute(app, contract.confirmTotp, async ({ actor, body, request }) => {
    const recoveryCodes = await confirmTotp(context, { actor, address: request.ip, code: body.code });
    request.log.info("second factor set up");
    return { recoveryCodes };
  });
  bindRoute(app, contract.endTotp, async ({ actor, body, request }) => {
    await endTotp(context, { actor, address: request.ip, confirmation: body });
    request.log.info("second factor removed");
    return { message: "The authenticator app is removed." };
  });
  bindRoute(app, contract.makeRecoveryCodes, async ({ actor, body, request }) => ({
    recoveryCodes: await renewRecoveryCodes(context, { actor, address: request.ip, confirmation: body }),
  }));

  bindRoute(app, contract.beginPasskey, ({ actor, body, request }) =>
    beginPasskey(context, { actor, address: request.ip, confirmation: body }),
  );
  bindRoute(app, contract.addPasskey, async ({ actor, body, request }) => {
    const recoveryCodes = await addPasskey(context, { actor, ...body });
    request.log.info("passkey added");
    return { recoveryCodes };
  });
  bindRoute(app, contract.renamePasskey, async ({ actor, params, body }) => {
    await renamePasskey(context, { id: params.id, userId: actor.userId, name: body.name.trim() });
    return { message: "The passkey has its new name." };
  });
  bindRoute(app, contract.endPasskey, async ({ actor, params, body, request }) => {
    await endPasskey(context, { id: params.id, actor, address: request.ip, confirmation: body });
    request.log.info("passkey removed");
    return { message: "The passkey is removed." };
  });
}
