import * as contract from "@portal/contract/routes/second-factor";
import type { FastifyInstance } from "fastify";
import { bindRoute } from "../../../platform/http/bind-route.ts";
import {
  beginTotp,
  completeSignIn,
  confirmTotp,
  endTotp,
  readSecondFactor,
  renewRecoveryCodes,
  type SecondFactorContext,
} from "./service.ts";

/** Routes of the second factor: the step between password and portal, and its set-up. */
export function registerSecondFactorRoutes(app: FastifyInstance, context: SecondFactorContext): void {
  bindRoute(app, contract.getSecondFactor, ({ actor }) => readSecondFactor(context, actor));

  bindRoute(app, contract.verifySecondFactor, async ({ actor, body, request, reply }) => {
    const { user, cookies, device } = await completeSignIn(context, {
      actor,
      code: body.code,
      address: request.ip,
      userAgent: request.headers["user-agent"] ?? "",
      deviceCookie: request.cookies[context.devices.name],
    });
    request.log.info({ userId: user.id }, "signed in with a second factor");
    for (const cookie of cookies) reply.header("set-cookie", cookie);
    if (device) reply.setCookie(context.devices.name, device, context.devices.attributes);
    return { message: "Signed in", user };
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
}
