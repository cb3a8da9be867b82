import { escaped, page } from "../own-page.ts";
import type { Person } from "./people.ts";

const TITLE = "Sign in – simulated login provider";
const note =
  "<small>This page stands in for the organization's login provider. Nothing leaves this machine.</small>";

/** The page for choosing a person. `request` is the query of the authorization request. */
export function chooserPage(people: readonly Person[], request: string): string {
  const choices = people.map(
    ({ sub, name, email, emailVerified }) =>
      `<button class="who" name="person" value="${escaped(sub)}"><strong>${escaped(name)}</strong><span>${escaped(email)}${emailVerified ? "" : " (not verified)"}</span></button>`,
  );
  return page(
    TITLE,
    `<style>.who{display:grid;width:100%;text-align:left;border-radius:12px;margin:8px 0;color:inherit}.who span{color:#575b5f;font-size:14px;overflow-wrap:anywhere}</style>
<h1>Who are you?</h1>
${note}
<form method="post" action="/login/choose">
<input type="hidden" name="request" value="${escaped(request)}">
${choices.join("\n")}
<div><button name="decision" value="deny">Cancel</button></div>
</form>`,
  );
}

/** The provider's own error page. */
export function loginFaultPage(fault: string): string {
  return page(TITLE, `<h1>This sign-in cannot go on</h1><p>${escaped(fault)}</p>`);
}

/** The page after signing out without a redirect address. */
export function signedOutPage(): string {
  return page(TITLE, `<h1>You are signed out</h1>${note}`);
}
