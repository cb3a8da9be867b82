import { escaped, page } from "../own-page.ts";
import type { Params } from "./entities.ts";

const SCOPE_WORDS: Record<string, string> = {
  openid: "Know who you are on Google",
  email: "See your primary Google Account email address",
  "https://www.googleapis.com/auth/userinfo.email": "See your primary Google Account email address",
  "https://www.googleapis.com/auth/calendar.events": "View and edit events on all your calendars",
};

/** The page on which the owner of an account grants or denies the app's request. */
export function showConsent(query: Params): string {
  const scopes = String(query.scope).split(" ").filter(Boolean);
  const account = query.login_hint ?? "consultant@example.com";
  const boxes = scopes.map(
    (scope) =>
      `<label><input type="checkbox" name="scope" value="${escaped(scope)}" checked> ${escaped(SCOPE_WORDS[scope] ?? scope)}</label>`,
  );
  const request = new URLSearchParams(
    Object.entries(query).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
  return page(
    "Sign in – simulated Google",
    `<h1>The portal wants access to your Google Account</h1>
<small>This page stands in for Google. Nothing leaves this machine.</small>
<form method="post" action="/google/consent">
<input type="hidden" name="request" value="${escaped(request.toString())}">
<label>Account <input type="email" name="account" value="${escaped(account)}" required></label>
${boxes.join("\n")}
<div><button name="decision" value="deny" formnovalidate>Cancel</button><button name="decision" value="allow">Allow</button></div>
</form>`,
  );
}

/** The page for a request that Google refuses. */
export function refusePage(fault: string): string {
  return page("Access blocked", `<h1>Access blocked: authorization error</h1><p>${escaped(fault)}</p>`);
}
