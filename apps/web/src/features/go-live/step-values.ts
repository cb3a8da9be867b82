import type { DiagnosticCheck, Integration } from "@portal/contract/entities/diagnostics";
import type { GoLiveStep } from "@portal/contract/routes/go-live";

/** A page of a vendor's console: its address, and the path of menus in case the address has changed. */
export interface ConsolePage {
  href: string;
  path: string;
}

/** Where each step is done, in the vendors' consoles as of 2026. */
export const stepLinks: Record<GoLiveStep, ConsolePage> = {
  geo_permissions: {
    href: "https://console.twilio.com/us1/develop/voice/settings/geo-permissions",
    path: "Twilio Console › Voice › Settings › Geo permissions; Messaging › Settings › Geo permissions",
  },
  a2p_registration: {
    href: "https://console.twilio.com/us1/develop/sms/regulatory-compliance/a2p-onboarding",
    path: "Twilio Console › Messaging › Regulatory compliance › A2P 10DLC",
  },
  stir_shaken: {
    href: "https://console.twilio.com/us1/account/trust-hub/overview",
    path: "Twilio Console › Account › Trust Hub › SHAKEN/STIR",
  },
  caller_name: {
    href: "https://console.twilio.com/us1/account/trust-hub/overview",
    path: "Twilio Console › Account › Trust Hub › CNAM",
  },
  media_authentication: {
    href: "https://console.twilio.com/us1/develop/voice/settings/general",
    path: "Twilio Console › Voice › Settings › General › Enforce HTTP Auth on media URLs",
  },
  google_consent: {
    href: "https://console.cloud.google.com/auth/audience",
    path: "Google Cloud Console › Google Auth Platform › Audience",
  },
};

/** The steps that belong to an integration. */
export const stepsOf: Partial<Record<Integration, GoLiveStep[]>> = {
  twilio: ["geo_permissions", "a2p_registration", "stir_shaken", "caller_name", "media_authentication"],
  google: ["google_consent"],
};

const vendorPlaces: Partial<Record<Integration, ConsolePage>> = {
  twilio: { href: "https://console.twilio.com", path: "Twilio Console" },
  ghl: { href: "https://app.gohighlevel.com", path: "HighLevel › Settings" },
  google: { href: "https://console.cloud.google.com", path: "Google Cloud Console" },
};

const checkPlaces: Partial<Record<`${Integration}_${DiagnosticCheck["name"]}`, ConsolePage>> = {
  twilio_credentials: {
    href: "https://console.twilio.com/us1/account/keys-credentials/api-keys",
    path: "Twilio Console › Account › API keys & tokens",
  },
  twilio_numberWebhooks: {
    href: "https://console.twilio.com/us1/develop/phone-numbers/manage/incoming",
    path: "Twilio Console › Phone Numbers › Manage › Active numbers",
  },
  twilio_poolNumbers: {
    href: "https://console.twilio.com/us1/develop/phone-numbers/manage/incoming",
    path: "Twilio Console › Phone Numbers › Manage › Active numbers",
  },
  twilio_numberFallback: {
    href: "https://console.twilio.com/us1/develop/phone-numbers/manage/incoming",
    path: "Twilio Console › Develop › TwiML Bins; Phone Numbers › Active numbers › Primary handler fails",
  },
  twilio_callFallback: {
    href: "https://console.twilio.com/us1/develop/functions/services",
    path: "Twilio Console › Develop › Functions and Assets › Services",
  },
  twilio_calls: {
    href: "https://console.twilio.com/us1/develop/voice/settings/geo-permissions",
    path: "Twilio Console › Voice › Settings › Geo permissions; Phone Numbers › Verified caller IDs",
  },
  twilio_messagingService: {
    href: "https://console.twilio.com/us1/develop/sms/services",
    path: "Twilio Console › Messaging › Services › Integration, Sender Pool",
  },
  ghl_credentials: {
    href: "https://app.gohighlevel.com",
    path: "HighLevel › Settings › Private Integrations",
  },
  ghl_scopes: {
    href: "https://app.gohighlevel.com",
    path: "HighLevel › Settings › Private Integrations › Edit › Scopes",
  },
  ghl_connection: {
    href: "https://app.gohighlevel.com",
    path: "HighLevel › Settings › Integrations, Private Integrations",
  },
  ghl_lastEvent: {
    href: "https://marketplace.gohighlevel.com",
    path: "HighLevel Marketplace › My Apps › Advanced Settings › Webhooks",
  },
  google_credentials: {
    href: "https://console.cloud.google.com/apis/library/calendar-json.googleapis.com",
    path: "Google Cloud Console › APIs & Services › Library › Google Calendar API",
  },
};

/** Checks of the portal's own work, without a setting at a vendor. */
const ownWork: ReadonlySet<DiagnosticCheck["name"]> = new Set([
  "queue",
  "lastSync",
  "wholeRead",
  "outbox",
  "reports",
  "visitors",
  "storedSecrets",
  "rateLimit",
]);

/** The vendor's page with the setting of a check, or the vendor's start page; null for the portal's own checks. */
export function linkOfCheck(integration: Integration, name: DiagnosticCheck["name"]): ConsolePage | null {
  return (
    checkPlaces[`${integration}_${name}`] ?? (ownWork.has(name) ? null : (vendorPlaces[integration] ?? null))
  );
}
