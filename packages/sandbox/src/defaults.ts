/** The fixed accounts, credentials and numbers of the sandbox; `docs/providers/sandbox.md` lists them. */

export const TWILIO_ACCOUNT_SID = `AC${"1".padStart(32, "0")}`;
export const TWILIO_AUTH_TOKEN = "sandbox-auth-token";
export const TWILIO_API_KEY_SID = `SK${"1".padStart(32, "0")}`;
export const TWILIO_API_KEY_SECRET = "sandbox-api-secret";

/** The account's initial Twilio number: the caller id of every call. */
export const SYSTEM_NUMBER = "+12125550100";
/** The Messaging Service that exists from the start; its pool contains the system number. */
export const MESSAGING_SERVICE_SID = `MG${"1".padStart(32, "0")}`;
/** A phone, not a Twilio number: it rings for consultants without a number of their own. */
export const OFFICE_LINE = "+12125550199";

export const GOOGLE_CLIENT_ID = "sandbox.apps.googleusercontent.com";
export const GOOGLE_CLIENT_SECRET = "sandbox-google-secret";

/** The portal's client at the login provider. */
export const LOGIN_CLIENT_ID = "portal";
export const LOGIN_CLIENT_SECRET = "sandbox-login-secret";

export const GHL_TOKEN = "pit-sandbox-token";
export const GHL_LOCATION_ID = "loc0000000000000001";
/** The company's locations; only the first has contacts. */
export const GHL_LOCATIONS = [
  { id: GHL_LOCATION_ID, name: "Sandbox Sales" },
  { id: "loc0000000000000002", name: "Sandbox Branch" },
];
/** Id of the portal's app in the marketplace, with which its client id begins. */
export const GHL_APP_ID = "65f0a1b2c3d4e5f601234567";
export const GHL_CLIENT_ID = `${GHL_APP_ID}-sandbox`;
export const GHL_CLIENT_SECRET = "sandbox-ghl-secret";
/** Seed of the key that signs HighLevel's webhooks. */
export const GHL_WEBHOOK_SEED = "sandbox GoHighLevel webhooks";
export const GHL_COMPANY_ID = "com0000000000000001";

export interface SeededUser {
  id: string;
  firstName: string;
  lastName: string;
  email: string;
  phone?: string;
  role: "admin" | "user";
}

export const SEEDED_USERS: SeededUser[] = [
  {
    id: "usrAdmin000000000001",
    firstName: "Portal",
    lastName: "Admin",
    email: "admin@portal.test",
    role: "admin",
  },
  {
    id: "usrAna00000000000002",
    firstName: "Ana",
    lastName: "Torres",
    email: "ana@portal.test",
    phone: "+13055550101",
    role: "user",
  },
  {
    id: "usrLuis0000000000003",
    firstName: "Luis",
    lastName: "Mendoza",
    email: "luis@portal.test",
    phone: "+13055550102",
    role: "user",
  },
  {
    id: "usrSofia000000000004",
    firstName: "Sofía",
    lastName: "Rivas",
    email: "sofia@portal.test",
    role: "user",
  },
];

export const DEFAULT_PORT = 5001;
export const DEFAULT_SEED_LEADS = 126;
