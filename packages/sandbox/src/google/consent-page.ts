import type { Params } from "./entities.ts";

const SCOPE_WORDS: Record<string, string> = {
  openid: "Know who you are on Google",
  email: "See your primary Google Account email address",
  "https://www.googleapis.com/auth/userinfo.email": "See your primary Google Account email address",
  "https://www.googleapis.com/auth/calendar.events": "View and edit events on all your calendars",
};

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;background:#f0f4f9;color:#1f1f1f;margin:0;display:grid;min-height:100vh;place-items:center}
main{background:#fff;border-radius:16px;padding:32px;width:min(420px,calc(100vw - 64px));box-shadow:0 1px 4px #0002}
h1{font-size:22px;font-weight:500;margin:0 0 8px}label{display:block;margin:12px 0}input[type=email]{width:100%;box-sizing:border-box;font:inherit;padding:8px;border:1px solid #747775;border-radius:6px}
small{color:#575b5f}div{display:flex;gap:12px;justify-content:flex-end;margin-top:24px}button{font:inherit;padding:8px 20px;border-radius:20px;border:1px solid #747775;background:#fff;color:#0b57d0;cursor:pointer}button[value=allow]{background:#0b57d0;border-color:#0b57d0;color:#fff}`;

/** The page on which the owner of an account allows the app what it asks for, or not. */
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

/** The page for a request that Google does not take. */
export function refusePage(fault: string): string {
  return page("Access blocked", `<h1>Access blocked: authorization error</h1><p>${escaped(fault)}</p>`);
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><link rel="icon" href="data:,"><style>${STYLE}</style></head><body><main>${body}</main></body></html>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
