/**
 * Who may call a route: anybody, a signed-in user, a signed-in administrator, a provider that signs its requests, or (`intake`) whoever
 * may send leads in: a signed-in user or the holder of the source's key.
 */
export type Access = "public" | "user" | "admin" | "signed" | "intake";

/**
 * Whose rows a route reads or changes.
 * `everyone`: the same for all who may ask. `visible`: a consultant's own leads and calls, all of them for administrators. `assignee`: a
 * lead's assignee and administrators; others are refused, and nothing is written. `open`: the same, and anybody where the lead is assigned to
 * nobody. `maker`: whoever made the call, session or import, and administrators. `self`: one's own only, for administrators as well.
 */
export type Scope = "everyone" | "visible" | "assignee" | "open" | "maker" | "self";

export interface Policy {
  /** Who may ask at all: the guard in front of the route. */
  access: Access;
  scope: Scope;
}

const anybody: Policy = { access: "public", scope: "everyone" };
const provider: Policy = { access: "signed", scope: "everyone" };
const withKey: Policy = { access: "intake", scope: "everyone" };
const administrator: Policy = { access: "admin", scope: "everyone" };
const user = (scope: Scope): Policy => ({ access: "user", scope });

/**
 * Who may do what: every route, stream and export of the server, by method and path; nothing else guards a route. A route that is not here ends the start; a test
 * asks all of them as nobody, as a consultant with their own and with somebody else's things, as an administrator and with a key.
 */
export const policyTable: Record<string, Policy> = {
  "GET /api/health": anybody,
  "GET /api/ready": anybody,

  // Signing in and out, one's own account.
  "GET /api/sign-in-options": anybody,
  "POST /api/login/local": anybody,
  "POST /api/admin/login": anybody,
  "GET /api/login": anybody,
  "GET /api/login/callback": anybody,
  "GET /api/logout": anybody,
  "POST /api/password-link/check": anybody,
  "POST /api/password-link": anybody,
  "GET /api/current-user": user("self"),
  "GET /api/settings": user("self"),
  "GET /api/sessions": user("self"),
  "DELETE /api/sessions": user("self"),
  "DELETE /api/sessions/:id": user("self"),
  "PATCH /api/profile": user("self"),
  "PATCH /api/change-password": user("self"),
  "PATCH /api/interface-settings": user("self"),
  "PATCH /api/call-settings": user("self"),
  "PATCH /api/notification-settings": user("self"),
  "GET /api/availability": user("self"),
  "PATCH /api/availability": user("self"),
  "POST /api/login-link/end": user("self"),
  "GET /api/users/:id/photo": user("everyone"),
  "GET /api/events": user("visible"),
  "GET /api/notices": user("self"),
  "GET /api/push": user("self"),
  "POST /api/push/devices": user("self"),
  "DELETE /api/push/devices/:id": user("self"),
  "POST /api/push/test": user("self"),

  // Saved views of lists; everybody's are changed by administrators only.
  "GET /api/saved-views": user("self"),
  "POST /api/saved-views": user("self"),
  "PATCH /api/saved-views/:id": user("self"),
  "DELETE /api/saved-views/:id": user("self"),
  "POST /api/saved-views/order": user("self"),

  // Leads.
  "GET /api/leads": user("visible"),
  "POST /api/leads": user("everyone"),
  "GET /api/leads/known": user("everyone"),
  "GET /api/leads/duplicates": user("everyone"),
  "GET /api/leads/:id": user("everyone"),
  "GET /api/leads/:id/next-try": user("everyone"),
  "POST /api/leads/:id/next-try": user("assignee"),
  "GET /api/leads/:id/extra-fields": user("everyone"),
  "GET /api/leads/:id/place": user("everyone"),
  "GET /api/search": user("visible"),
  "GET /api/dashboard-stats": user("visible"),
  "GET /api/follow-ups": user("visible"),
  "GET /api/follow-ups/timed": user("self"),
  "PATCH /api/leads/:id": user("assignee"),
  "POST /api/leads/:id/notes": user("assignee"),
  "PATCH /api/leads/:id/name": user("assignee"),
  "POST /api/leads/:id/convert": user("assignee"),
  "POST /api/leads/:id/consent": user("assignee"),
  "DELETE /api/leads/:id/consent": user("assignee"),
  "GET /api/leads/:id/timeline": user("assignee"),
  "GET /api/ai-recording/:id": user("assignee"),
  "GET /api/ghl/outbox/leads/:id": user("assignee"),
  "POST /api/sample-data": user("everyone"),
  "GET /api/leads/all": user("everyone"),
  "GET /api/leads/all/stats": user("everyone"),
  "GET /api/leads/export": user("everyone"),
  "GET /api/sales-reps": user("everyone"),
  "POST /api/leads/:id/assign": user("open"),
  "POST /api/leads/:id/transfer": user("open"),
  "POST /api/leads/assign": user("open"),

  "POST /api/leads/:id/merge/preview": user("assignee"),
  "POST /api/leads/:id/merge": user("assignee"),
  "GET /api/leads/:id/merges": user("assignee"),
  "GET /api/lead-merges": user("visible"),
  "POST /api/lead-merges/:id/undo": user("assignee"),

  "POST /api/bulk-changes/preview": user("assignee"),
  "POST /api/bulk-changes": user("assignee"),
  "GET /api/bulk-changes": user("visible"),
  "GET /api/bulk-changes/:id": user("maker"),
  "POST /api/bulk-changes/:id/undo": user("maker"),

  // Calls, recordings, the auto-dialer.
  "GET /api/phone-numbers": user("everyone"),
  "POST /api/make-call": user("assignee"),
  "GET /api/calls/live": user("self"),
  "GET /api/calls/:id": user("maker"),
  "POST /api/calls/:id/end": user("maker"),
  "GET /api/call-logs": user("visible"),
  "GET /api/call-logs/summary": user("visible"),
  "GET /api/call-logs/export": user("visible"),
  "POST /api/call-logs": user("assignee"),
  "POST /api/call-logs/:id/missed": user("assignee"),
  "GET /api/twilio/recordings": user("visible"),
  "GET /api/twilio/recording/:recordingSid": user("maker"),
  "GET /api/ghl/call-recordings": user("visible"),
  "POST /api/extract-all-recordings": user("everyone"),
  "GET /api/dialer": user("self"),
  "POST /api/dialer/preview": user("self"),
  "POST /api/dialer/start": user("self"),
  "PATCH /api/dialer/:id": user("self"),
  "POST /api/dialer/:id/command": user("self"),
  "POST /api/dialer/:id/typing": user("self"),
  "POST /api/dialer/:id/wrap-up": user("self"),
  "GET /api/dialer/:id/summary": user("maker"),
  "POST /api/dialer/:id/close": user("self"),

  // Texts.
  "GET /api/leads/:id/sms": user("assignee"),
  "POST /api/leads/:id/sms": user("assignee"),
  "POST /api/leads/:id/sms/read": user("assignee"),
  "GET /api/leads/:id/sms-templates": user("assignee"),
  "GET /api/scheduled-sms": user("visible"),
  "GET /api/leads/:id/scheduled-sms": user("assignee"),
  "POST /api/leads/:id/scheduled-sms": user("assignee"),
  "POST /api/scheduled-sms/:id/cancel": user("assignee"),
  "POST /api/scheduled-sms/:id/send": user("assignee"),
  "GET /api/sms/templates": user("self"),
  "POST /api/sms/templates": user("self"),
  "PATCH /api/sms/templates/:id": user("self"),
  "DELETE /api/sms/templates/:id": user("self"),
  "GET /api/sms/texts": user("visible"),
  "GET /api/sms/unread": user("self"),
  "GET /api/sms/inbox": user("everyone"),
  "POST /api/sms/inbox/:id/attach": user("assignee"),
  "POST /api/sms/inbox/:id/dismiss": user("everyone"),

  // The inbox: who waits for an answer. What is no lead's is everybody's.
  "GET /api/inbox": user("self"),
  "GET /api/inbox/count": user("self"),
  "POST /api/inbox/:id/done": user("assignee"),
  "POST /api/inbox/:id/reopen": user("assignee"),
  "POST /api/inbox/attach": user("assignee"),

  // Meetings and Google Calendar.
  "GET /api/calendar/events": user("self"),
  "GET /api/calendar/earlier": user("self"),
  "GET /api/calendar/clash": user("self"),
  "POST /api/calendar/events": user("assignee"),
  "PATCH /api/calendar/events/:id": user("self"),
  "DELETE /api/calendar/events/:id": user("self"),
  "GET /api/calendar/events/:id/ics": user("self"),
  "GET /api/google/status": user("self"),
  "GET /api/google/auth": user("self"),
  "GET /api/google/callback": user("self"),
  "DELETE /api/google/disconnect": user("self"),
  "POST /api/google/sync": user("self"),

  // Figures.
  "GET /api/reports/overview": user("visible"),
  "GET /api/reports/calls": user("visible"),
  "GET /api/reports/leads": user("visible"),
  "GET /api/reports/performance": user("visible"),
  "GET /api/analytics/call-data": user("visible"),
  "GET /api/clients/converted": user("everyone"),
  "GET /api/clients/stats": user("everyone"),
  "GET /api/clients/export": user("everyone"),

  // The CRM, imports, webhooks that bring leads.
  "GET /api/crm/connection": user("everyone"),
  "DELETE /api/crm/connection": administrator,
  "POST /api/crm/install": administrator,
  "GET /api/crm/install/callback": administrator,
  "POST /api/crm/install/read": administrator,
  "POST /api/crm/install/confirm": administrator,
  "PATCH /api/crm/private-token": administrator,
  "GET /api/ghl/status": user("everyone"),
  "POST /api/ghl/sync-leads": user("everyone"),
  "POST /api/ghl/sync-changes": user("everyone"),
  "POST /api/ghl/sync": administrator,
  "GET /api/ghl/sync-runs": user("everyone"),
  "GET /api/ghl/sync-runs/:id": user("everyone"),
  "GET /api/ghl/outbox": user("visible"),
  "POST /api/ghl/outbox/retry": user("visible"),
  "GET /api/ghl/rejects": user("everyone"),
  "GET /api/ghl/deletions": administrator,
  "POST /api/ghl/deletions/:id": administrator,
  "POST /api/import/leads": withKey,
  "POST /api/import/lead": withKey,
  "GET /api/imports": user("visible"),
  "GET /api/imports/:id": { access: "intake", scope: "maker" },
  "GET /api/imports/:id/failed.csv": { access: "intake", scope: "maker" },
  "POST /api/webhook/lead": withKey,
  "POST /api/webhook/salesforce": withKey,
  "POST /api/webhook/hubspot": withKey,
  "POST /api/webhook/pipedrive": withKey,
  "GET /api/webhook-sources": user("everyone"),
  "PATCH /api/webhook-sources/:source": administrator,
  "POST /api/webhook-sources/:source/key": administrator,
  "DELETE /api/webhook-sources/:source/key": administrator,
  "GET /api/webhook-deliveries": administrator,
  "POST /api/webhook-deliveries/:id/replay": administrator,

  // Administration.
  "GET /api/admin/session-check": administrator,
  "GET /api/admin/system-stats": administrator,
  "GET /api/admin/user-stats": administrator,
  "GET /api/admin/live": administrator,
  "GET /api/admin/audit": administrator,
  "GET /api/admin/refusals": administrator,
  "GET /api/admin/health": administrator,
  "GET /api/organisation-settings": administrator,
  "PATCH /api/organisation-settings": administrator,
  "GET /api/retry-rules": administrator,
  "PATCH /api/retry-rules": administrator,
  "POST /api/retry-rules/preview": administrator,
  "GET /api/team": administrator,
  "POST /api/team": administrator,
  "PATCH /api/team/:id": administrator,
  "PATCH /api/team/:id/availability": administrator,
  "POST /api/team/:id/deactivate": administrator,
  "POST /api/team/:id/reactivate": administrator,
  "POST /api/team/:id/password-link": administrator,
  "POST /api/team/:id/transfer-leads": administrator,
  "DELETE /api/team/:id/login-link": administrator,
  "DELETE /api/team/:id/sessions": administrator,
  "GET /api/go-live": administrator,
  "POST /api/go-live/steps/:step": administrator,
  "DELETE /api/go-live/steps/:step": administrator,
  "POST /api/go-live/test-call": administrator,
  "GET /api/diagnostics/:integration": user("everyone"),
  "GET /api/twilio/settings-plan": administrator,
  "POST /api/twilio/settings-plan": administrator,
  "GET /api/docs": user("everyone"),
  "GET /api/docs/json": user("everyone"),

  // Twilio and GoHighLevel, by their signatures.
  "POST /api/ghl/webhook": provider,
  "POST /api/twilio/recording-status": provider,
  "POST /api/twilio/sms/inbound": provider,
  "POST /api/twilio/sms/status": provider,
  "POST /api/twilio/voice/answered": provider,
  "POST /api/twilio/voice/confirm": provider,
  "POST /api/twilio/voice/detection": provider,
  "POST /api/twilio/voice/dial-done": provider,
  "POST /api/twilio/voice/inbound": provider,
  "POST /api/twilio/voice/inbound-done": provider,
  "POST /api/twilio/voice/inbound-status": provider,
  "POST /api/twilio/voice/inbound-take": provider,
  "POST /api/twilio/voice/inbound-transcription": provider,
  "POST /api/twilio/voice/inbound-whisper": provider,
  "POST /api/twilio/voice/lead-status": provider,
  "POST /api/twilio/voice/notice": provider,
  "POST /api/twilio/voice/rep-status": provider,
  "POST /api/twilio/voice/test-call": provider,
  "POST /api/twilio/voice/test-call-status": provider,
};
