import { HighLevel } from "@gohighlevel/api-client";
import { calendar, type calendar_v3 } from "@googleapis/calendar";
import { OAuth2Client } from "google-auth-library";
import twilio from "twilio";
import {
  GHL_TOKEN,
  GOOGLE_CLIENT_ID,
  GOOGLE_CLIENT_SECRET,
  TWILIO_ACCOUNT_SID,
  TWILIO_API_KEY_SECRET,
  TWILIO_API_KEY_SID,
} from "../defaults.ts";

const base = twilio.RequestClient.prototype;
type Options<Data> = Parameters<typeof base.request<Data>>[0];

/** The official Twilio SDK with the sandbox instead of api.twilio.com. */
export function twilioClient(sandboxUrl: string, sid = TWILIO_API_KEY_SID, secret = TWILIO_API_KEY_SECRET) {
  class SandboxRequests extends twilio.RequestClient {
    override request<Data>(options: Options<Data>) {
      const uri = options.uri.replace(/^https:\/\/(api|messaging)\.twilio\.com/, `${sandboxUrl}/twilio`);
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

/** Google's official client with the sandbox as its origin and as its authorization server. */
export function googleClient(sandboxUrl: string, redirectUri: string) {
  const oauth = `${sandboxUrl}/google`;
  const auth = new OAuth2Client({
    clientId: GOOGLE_CLIENT_ID,
    clientSecret: GOOGLE_CLIENT_SECRET,
    redirectUri,
    forceRefreshOnFailure: true,
    endpoints: {
      oauth2AuthBaseUrl: `${oauth}/o/oauth2/v2/auth`,
      oauth2TokenUrl: `${oauth}/token`,
      oauth2RevokeUrl: `${oauth}/revoke`,
    },
  });
  const api: calendar_v3.Calendar = calendar({
    version: "v3",
    auth,
    rootUrl: `${sandboxUrl}/`,
    retry: false,
  });
  return { auth, events: api.events };
}
