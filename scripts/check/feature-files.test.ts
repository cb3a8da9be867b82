import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../lib/environment.ts";

const features = "apps/server/src/features/";

/**
 * The files that a feature of the server may hold. `routes`: binds contract routes; `webhook-routes`: a provider's. `service`: the feature's
 * use cases that others call, with their transactions. `repository`: SQL of one entity. `policy`: pure rules. `present`: rows to contract
 * objects. `jobs`: queues and scheduled tasks. `machine`: a pure state machine. `types`: what several of these share.
 */
const known =
  /^(?:routes|service|repository|policy|present|jobs|machine|types|[a-z-]+-(?:routes|repository))$/;

/** A use case is named for what it does: a verb, and what it is done to. */
const useCase = new RegExp(
  `^(?:${[
    ...["answer", "apply", "change", "check", "connect", "create", "decide", "dial", "end", "export", "fix"],
    ...["gather", "ingest", "install", "list", "make", "match", "merge", "move", "pace", "parse", "pull"],
    ...["push", "read", "receive", "record", "refresh", "report", "save", "schedule", "send", "split"],
    ...["start", "step", "stream", "sync", "throttle", "tidy", "transfer", "update", "watch", "work"],
    ...["wrap", "write"],
  ].join("|")})(?:-[a-z-]+)?$`,
);

/** Named for a thing before there was a vocabulary. The list may only shrink: a new file is a use case or one of the above. */
const exceptions = [
  "activity/audit",
  "admin/organisation-settings",
  "admin/shared-reading",
  "contact-policy/state-rules",
  "crm-connection/access",
  "crm-connection/app-events",
  "crm-connection/own-connection",
  "crm-connection/status",
  "crm/messages",
  "diagnostics/public-address",
  "diagnostics/telephony-settings",
  "dialer/skip-reasons",
  "go-live/test-call",
  "identity/auth/device-cookies",
  "identity/auth/failed-sign-ins",
  "identity/auth/new-password",
  "identity/auth/password-links",
  "identity/auth/provider-sign-in",
  "identity/auth/session-reader",
  "identity/auth/sign-in-library",
  "identity/auth/sign-in-ways",
  "identity/users/photo",
  "identity/users/presence",
  "identity/users/settings",
  "lead-webhooks/delivery-event",
  "lead-webhooks/payload-fields",
  "lead-webhooks/signatures",
  "lead-webhooks/source-auth",
  "lead-webhooks/source-keys",
  "lead-webhooks/source-settings",
  "leads/follow-up",
  "meetings/google-calendar/setup-faults",
  "meetings/meeting-fields",
  "notifications/admin-alerts",
  "notifications/emails",
  "saved-views/view-query",
  "sms/opt-out",
  "telephony/outbound/call-alarms",
];

const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", features], { cwd: root })
  .toString()
  .split("\n")
  .filter((file) => /\.ts$/.test(file) && !file.endsWith(".test.ts") && existsSync(join(root, file)))
  .map((file) => file.slice(features.length, -".ts".length));
const nameOf = (file: string) => file.split("/").at(-1) ?? "";
const fits = (file: string) => known.test(nameOf(file)) || useCase.test(nameOf(file));

it("a feature holds files of the vocabulary", () => {
  expect(files.length).toBeGreaterThan(150);
  expect(files.filter((file) => !fits(file) && !exceptions.includes(file))).toEqual([]);
});

it("every exception is still needed", () => {
  expect(exceptions.filter((file) => !files.includes(file) || fits(file))).toEqual([]);
});
