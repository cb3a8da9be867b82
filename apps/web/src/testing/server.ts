import { defaultRetryRules } from "@portal/contract/entities/retry";
import type { ErrorCode } from "@portal/contract/errors";
import { errorStatus } from "@portal/contract/errors";
import type { Route } from "@portal/contract/route";
import { getSettings, listSessions, listSignIns } from "@portal/contract/routes/account";
import { getCallAnalytics } from "@portal/contract/routes/analytics";
import { listSalesReps, listTimedFollowUps } from "@portal/contract/routes/assignment";
import { getSignInOptions } from "@portal/contract/routes/auth";
import { getAvailability } from "@portal/contract/routes/availability";
import { getLiveCall, listCallLogs } from "@portal/contract/routes/calls";
import { getDialer } from "@portal/contract/routes/dialer";
import { countInbox } from "@portal/contract/routes/inbox";
import { listLeadMerges } from "@portal/contract/routes/lead-merge";
import { getLeadRegion, listExtraFields } from "@portal/contract/routes/leads";
import { getGoogleStatus, listEarlierMeetings, listMeetings } from "@portal/contract/routes/meetings";
import { listNotifications } from "@portal/contract/routes/notifications";
import { getPush } from "@portal/contract/routes/push";
import { getOverviewReport } from "@portal/contract/routes/reports";
import { getNextTry, getRetryRules } from "@portal/contract/routes/retry-rules";
import { listLeadScheduledSms, listScheduledSms } from "@portal/contract/routes/scheduled-sms";
import { getSecondFactor } from "@portal/contract/routes/second-factor";
import { getUnreadMessages } from "@portal/contract/routes/sms";
import { listFilledTemplates } from "@portal/contract/routes/sms-templates";
import { countToday } from "@portal/contract/routes/today";
import { listVoicemailMessages } from "@portal/contract/routes/voicemail-messages";
import { type DefaultBodyType, HttpResponse, http, type RequestHandler } from "msw";
import { setupServer } from "msw/node";
import type { z } from "zod";
import { buildSettings } from "./builders.ts";
import { buildCallAnalytics, buildEmptyOverview } from "./report-builders.ts";

/**
 * The network of the tests: a request without a handler fails the test. Every page loads the live call, the dialer session, missed calls,
 * unread SMS, the counts of Today and the inbox, notifications and meetings, which are all empty, and the settings. Leads have no extra
 * fields and no location in the CRM, their next try is due, and the retry rules are the defaults; there are no templates, recorded
 * messages or scheduled SMS. The metrics are those of two pages that tests of the shell visit.
 */
export const server = setupServer(
  // Pages check whether the server is reachable when their event stream is lost.
  http.get("/api/health", () => HttpResponse.json({ status: "ok" })),
  replyTo(getSignInOptions, { password: true, provider: null }),
  replyTo(getLiveCall, { call: null }),
  replyTo(getDialer, { session: null }),
  replyTo(listSalesReps, []),
  replyTo(getAvailability, { state: "available", until: null, hours: null, standIn: null }),
  replyTo(listCallLogs, []),
  replyTo(countInbox, { count: 0, isMore: false }),
  replyTo(countToday, { now: 0, overdue: 0, putOff: 0 }),
  replyTo(getUnreadMessages, { leads: 0, inbox: 0 }),
  replyTo(getSettings, buildSettings()),
  replyTo(listSessions, []),
  replyTo(listSignIns, []),
  replyTo(getSecondFactor, {
    pending: null,
    totp: false,
    passkeys: [],
    recoveryCodes: 0,
    confirmation: "password",
  }),
  replyTo(listExtraFields, []),
  replyTo(getRetryRules, { rules: defaultRetryRules, version: 1 }),
  replyTo(getNextTry, { kind: "due", until: null, timeZone: "America/New_York", rule: null }),
  replyTo(listLeadMerges, []),
  replyTo(getLeadRegion, { crmState: null, crmTimeZone: null, numberTimeZones: [] }),
  replyTo(listNotifications, []),
  replyTo(listFilledTemplates, { language: null, templates: [], missedCallId: null }),
  replyTo(listVoicemailMessages, { isOn: false, messages: [], recording: null }),
  replyTo(listScheduledSms, []),
  replyTo(listLeadScheduledSms, { timeZone: "America/New_York", texts: [] }),
  replyTo(getPush, { publicKey: "", session: 1, devices: [] }),
  replyTo(listMeetings, []),
  replyTo(listTimedFollowUps, []),
  replyTo(listEarlierMeetings, []),
  replyTo(getOverviewReport, buildEmptyOverview()),
  replyTo(getCallAnalytics, buildCallAnalytics()),
  replyTo(getGoogleStatus, {
    connected: false,
    state: "off",
    email: null,
    lastSyncedAt: null,
    pending: 0,
    waitsFor: null,
  }),
);

type Reply<R extends Route> = z.input<R["response"]>;

interface ReplyContext {
  request: Request;
  params: Record<string, string | readonly string[] | undefined>;
  body: unknown;
}

/**
 * A handler for a contract route. The response is validated by the contract, so that no test proves something that the server cannot send:
 * `server.use(replyTo(listLeads, [buildLead()]))`, or a function of the request.
 */
export function replyTo<R extends Route>(
  route: R,
  reply: Reply<R> | ((context: ReplyContext) => Reply<R> | Response | Promise<Reply<R> | Response>),
  headers: Record<string, string> = {},
): RequestHandler {
  const on = { GET: http.get, POST: http.post, PATCH: http.patch, DELETE: http.delete }[route.method];
  return on(route.path, async ({ request, params }) => {
    const text = request.method === "GET" ? "" : await request.clone().text();
    const isFile = /^(text\/csv|audio\/)/.test(request.headers.get("content-type") ?? "");
    const body: unknown = isFile ? text : text === "" ? undefined : JSON.parse(text);
    const answer: unknown =
      typeof reply === "function"
        ? await (reply as (context: ReplyContext) => unknown)({ request, params, body })
        : reply;
    if (answer instanceof Response) return answer;
    return HttpResponse.json(route.response.parse(answer) as DefaultBodyType, { headers });
  });
}

/** An error in the server's format. */
export function errorReply(code: ErrorCode, message: string): Response {
  return HttpResponse.json({ message, code }, { status: errorStatus[code] });
}

/** A handler that responds to a contract route with an error of the contract. */
export function refuse(route: Route, code: ErrorCode, message: string): RequestHandler {
  const on = { GET: http.get, POST: http.post, PATCH: http.patch, DELETE: http.delete }[route.method];
  return on(route.path, () => errorReply(code, message));
}
