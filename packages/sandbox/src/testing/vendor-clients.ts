import { HighLevel } from "@gohighlevel/api-client";
import twilio from "twilio";
import { GHL_TOKEN, TWILIO_ACCOUNT_SID, TWILIO_API_KEY_SECRET, TWILIO_API_KEY_SID } from "../defaults.ts";

const base = twilio.RequestClient.prototype;
type Options<Data> = Parameters<typeof base.request<Data>>[0];

/** The official Twilio SDK with the sandbox in place of api.twilio.com. */
export function twilioClient(sandboxUrl: string, sid = TWILIO_API_KEY_SID, secret = TWILIO_API_KEY_SECRET) {
  class SandboxRequests extends twilio.RequestClient {
    override request<Data>(options: Options<Data>) {
      const uri = options.uri.replace("https://api.twilio.com", `${sandboxUrl}/twilio`);
      return super.request<Data>({ ...options, uri });
    }
  }
  return twilio(sid, secret, { accountSid: TWILIO_ACCOUNT_SID, httpClient: new SandboxRequests() });
}

/** The official HighLevel SDK with the sandbox as its base URL. */
export function ghlClient(sandboxUrl: string, token = GHL_TOKEN): HighLevel {
  const client = new HighLevel({
    privateIntegrationToken: token,
    apiVersion: "2021-07-28",
    logLevel: "none",
  });
  client.getHttpClient().defaults.baseURL = `${sandboxUrl}/ghl`;
  return client;
}
