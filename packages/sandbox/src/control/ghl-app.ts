import type { FastifyInstance } from "fastify";
import { GHL_LOCATION_ID } from "../defaults.ts";
import { isLocation } from "../gohighlevel/app-data.ts";
import type { Sandbox } from "../sandbox.ts";
import { bodyOf, ControlError, numberIn, textIn } from "./input.ts";

/** Actions of HighLevel's users on the portal's app, and failures of its tokens. */
export function ghlAppControl(app: FastifyInstance, sandbox: Sandbox): void {
  const { ghlApp } = sandbox;

  app.post("/control/ghl/app", async (request) => {
    const body = bodyOf(request);
    ghlApp.expiresIn = numberIn(body, "expiresIn", ghlApp.expiresIn);
    if (body.endAccess === true) ghlApp.endAccess();
    if (body.endRefresh === true) ghlApp.endRefresh();
    return { expiresIn: ghlApp.expiresIn, installed: ghlApp.isInstalled(GHL_LOCATION_ID) };
  });

  // An installation started at HighLevel, and so without a state.
  app.post("/control/ghl/app/install", async (request, reply) => {
    const body = bodyOf(request);
    const { redirectUri } = body;
    if (typeof redirectUri !== "string") throw new ControlError("redirectUri must be an address");
    const locationIds = (textIn(body, "locationId") ?? GHL_LOCATION_ID).split(",");
    if (!locationIds.every(isLocation)) throw new ControlError("locationId must be one of the company's");
    const code = ghlApp.newCode({
      locationIds,
      scope: textIn(body, "scope") ?? "contacts.readonly",
      redirectUri,
    });
    sandbox.notifyApp("INSTALL", locationIds);
    const url = new URL(redirectUri);
    url.searchParams.set("code", code);
    return reply.code(201).send({ code, url: url.href });
  });

  app.post("/control/ghl/app/uninstall", async (request) => {
    const locationId = textIn(bodyOf(request), "locationId") ?? GHL_LOCATION_ID;
    ghlApp.uninstall(locationId);
    sandbox.notifyApp("UNINSTALL", [locationId]);
    return { locationId };
  });
}
