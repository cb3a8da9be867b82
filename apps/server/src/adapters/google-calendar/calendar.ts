import { createHash } from "node:crypto";
import type { calendar_v3 } from "@googleapis/calendar";
import type { Credentials, OAuth2Client } from "google-auth-library";
import type { Calendar, CalendarAccount, CalendarTokens, EventWrite } from "../../ports/calendar.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import { type Circuit, createCircuit, isUnavailable } from "../resilience.ts";
import {
  circuitOpen,
  markOf,
  refusalOf,
  toCalendarEvent,
  toEventChange,
  toGoogleEvent,
  toProviderError,
  withGuests,
  zoneOf,
} from "./transform.ts";

export interface GoogleCalendarOptions {
  clientId: string;
  clientSecret: string;
  /** The redirect URI registered at Google. */
  redirectUri: string;
  /** Origin of the API and, below /google, of the sign-in; null for Google itself. */
  baseUrl: string | null;
  /** Timeout of a response in ms; 10 s by default. */
  timeoutMs?: number;
}

const calendarScope = "https://www.googleapis.com/auth/calendar.events";
const pageSize = 250;
const usualTimeoutMs = 10_000;

function fromCredentials(credentials: Credentials, before?: CalendarTokens): CalendarTokens | null {
  const accessToken = credentials.access_token ?? before?.accessToken;
  // The response to a refresh has no refresh token; the previous one stays valid.
  const refreshToken = credentials.refresh_token ?? before?.refreshToken;
  if (!accessToken || !refreshToken) return null;
  return { accessToken, refreshToken, expiresAt: credentials.expiry_date ?? null };
}

/**
 * The account's email address from the ID token. Its signature need not be verified, because it came directly from Google over TLS (OpenID
 * Connect Core §3.1.3.7).
 */
function emailOf(idToken: string | null | undefined): string | null {
  try {
    const claims: unknown = JSON.parse(Buffer.from(idToken?.split(".")[1] ?? "", "base64url").toString());
    const { email } = claims as { email?: unknown };
    return typeof email === "string" ? email : null;
  } catch {
    return null;
  }
}

/** Each person's primary Google calendar, through the vendor's clients, which are loaded on first use. */
export function createGoogleCalendar(options: GoogleCalendarOptions): Calendar {
  const { baseUrl, timeoutMs = usualTimeoutMs } = options;
  const circuit = createCircuit({
    provider: "google-calendar",
    translate: toProviderError,
    refuse: circuitOpen,
    // A setting that is missing for one person may exist for another, and Google did respond.
    isDown: (failure) => isUnavailable(failure) && failure.setup === null,
  });
  let libraries:
    | Promise<[typeof import("@googleapis/calendar"), typeof import("google-auth-library")]>
    | undefined;

  function load() {
    libraries ??= Promise.all([import("@googleapis/calendar"), import("google-auth-library")]);
    return libraries;
  }

  async function signIn(): Promise<OAuth2Client> {
    const [, { OAuth2Client: Client }] = await load();
    return new Client({
      clientId: options.clientId,
      clientSecret: options.clientSecret,
      redirectUri: options.redirectUri,
      // An access token may become invalid early. The client then requests a new one.
      forceRefreshOnFailure: true,
      // A proxy set in the environment cannot reach this machine's loopback address.
      transporterOptions: { timeout: timeoutMs, noProxy: ["127.0.0.1", "localhost"] },
      ...(baseUrl && {
        endpoints: {
          oauth2AuthBaseUrl: `${baseUrl}/google/o/oauth2/v2/auth`,
          oauth2TokenUrl: `${baseUrl}/google/token`,
          oauth2RevokeUrl: `${baseUrl}/google/revoke`,
        },
      }),
    });
  }

  return {
    async consentUrl({ state, verifier, email }) {
      const [, { CodeChallengeMethod }] = await load();
      return (await signIn()).generateAuthUrl({
        access_type: "offline",
        // Otherwise Google returns a refresh token only for the first consent.
        prompt: "consent",
        scope: ["openid", "email", calendarScope],
        include_granted_scopes: true,
        login_hint: email,
        state,
        code_challenge: createHash("sha256").update(verifier).digest("base64url"),
        code_challenge_method: CodeChallengeMethod.S256,
      });
    },

    exchangeCode: ({ code, verifier }) =>
      circuit(async () => {
        const { tokens } = await (await signIn()).getToken({ code, codeVerifier: verifier });
        const scope = tokens.scope ?? "";
        return {
          tokens: fromCredentials(tokens),
          scope,
          email: emailOf(tokens.id_token),
          mayWrite: scope.split(" ").includes(calendarScope),
        };
      }),

    revoke: (tokens) =>
      circuit(async () => {
        await (await signIn()).revokeToken(tokens.refreshToken);
      }),

    open: (tokens, onTokens) =>
      openAccount(circuit, async () => {
        const [{ calendar }] = await load();
        const auth = await signIn();
        auth.setCredentials({
          access_token: tokens.accessToken,
          refresh_token: tokens.refreshToken,
          expiry_date: tokens.expiresAt,
        });
        auth.on("tokens", (fresh) => {
          const kept = fromCredentials(fresh, tokens);
          if (kept) onTokens(kept);
        });
        // The job queue decides about retries.
        const root = baseUrl ? { rootUrl: `${baseUrl}/` } : {};
        return calendar({ version: "v3", auth, retry: false, timeout: timeoutMs, ...root }).events;
      }),
  };
}

function openAccount(circuit: Circuit, connect: () => Promise<calendar_v3.Resource$Events>): CalendarAccount {
  let connected: Promise<calendar_v3.Resource$Events> | undefined;
  const ask = <T>(work: (events: calendar_v3.Resource$Events) => Promise<T>): Promise<T> =>
    circuit(async () => {
      connected ??= connect();
      return work(await connected);
    });
  const calendarId = "primary";
  const rules = ({ notify }: { notify: boolean }) => ({ calendarId, sendUpdates: notify ? "all" : "none" });
  // Required for every write: without version 1 Google ignores the conference.
  const writeRules = (write: EventWrite) => ({ ...rules(write), conferenceDataVersion: 1 });

  return {
    insertEvent: (id, meetingRef, write) =>
      ask(async (events) => {
        // Null removes a value. The vendor's API description allows no null for a new event.
        const fields = Object.entries(toGoogleEvent(write)).filter(([, value]) => value !== null);
        const requestBody = { id, ...markOf(meetingRef), ...Object.fromEntries(fields) };
        try {
          return toCalendarEvent((await events.insert({ ...writeRules(write), requestBody })).data);
        } catch (error) {
          if (refusalOf(error)?.status === 409) return "exists";
          throw error;
        }
      }),

    patchEvent: (id, write) =>
      ask(async (events) => {
        const requestBody = toGoogleEvent(write);
        const target = { ...writeRules(write), eventId: id };
        const { attendees } = write.fields;
        if (!attendees) return existing((await events.patch({ ...target, requestBody })).data);
        // Google replaces the whole list, so the attendees' responses would be lost.
        const { data: before } = await events.get({ calendarId, eventId: id });
        const body = { ...requestBody, attendees: withGuests(before, attendees) };
        const unchanged = { headers: { "If-Match": before.etag ?? "*" } };
        return existing((await events.patch({ ...target, requestBody: body }, unchanged)).data);
      }),

    deleteEvent: (id, options) =>
      ask(async (events) => {
        try {
          await events.delete({ ...rules(options), eventId: id });
        } catch (error) {
          if (![404, 410].includes(refusalOf(error)?.status ?? 0)) throw error;
        }
      }),

    readEvent: (id) => ask(async (events) => existing((await events.get({ calendarId, eventId: id })).data)),

    eventPage: ({ sync, page, from, to }) =>
      ask(async (events) => {
        const where = sync ? { syncToken: sync } : { timeMin: from.toISOString(), timeMax: to.toISOString() };
        try {
          const { data } = await events.list({
            calendarId,
            maxResults: pageSize,
            singleEvents: true,
            showDeleted: true,
            ...where,
            ...(page && { pageToken: page }),
          });
          return {
            changes: (data.items ?? [])
              .filter(({ id }) => id)
              .map((event) => toEventChange(event, zoneOf(data.timeZone))),
            nextPage: data.nextPageToken ?? null,
            nextSync: data.nextSyncToken ?? null,
          };
        } catch (error) {
          if (refusalOf(error)?.status === 410) return "expired";
          throw error;
        }
      }),
  };
}

/** Errors: `not-found` for an event that was deleted and is only kept as cancelled. */
function existing(event: calendar_v3.Schema$Event) {
  if (event.status !== "cancelled") return toCalendarEvent(event);
  throw new ProviderError({
    provider: "google-calendar",
    kind: "not-found",
    message: "Google does not have this event.",
  });
}
