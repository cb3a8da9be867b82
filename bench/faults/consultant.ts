import { setTimeout as sleep } from "node:timers/promises";

/** Results of a consultant's requests for calls. */
export interface Tally {
  sent: number;
  acknowledged: number;
  /** Requests without a response, or with one that asks to wait. */
  unanswered: number;
}

const retryMs = 250;
const timeoutMs = 240_000;

/** Signs in like the web. @returns the session's cookie */
export async function signIn(
  url: string,
  { email, password }: { email: string; password: string },
): Promise<string> {
  const answer = await fetch(`${url}/api/login/local`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password }),
  });
  if (!answer.ok) throw new Error(`${email} cannot sign in: ${answer.status}`);
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";", 1)[0])
    .join("; ");
}

/**
 * Calls one lead and waits for the end of the call. Without a response it checks whether the call exists before asking again, as a person
 * would.
 */
export async function callLead(input: {
  url: string;
  cookie: string;
  leadId: number;
  tally: Tally;
  /** The state of the lead's newest call in the portal, or null. */
  stateOf: (leadId: number) => Promise<string | null>;
}): Promise<void> {
  const { url, cookie, leadId, tally, stateOf } = input;
  const deadline = Date.now() + timeoutMs;
  tally.sent += 1;
  for (let state = await stateOf(leadId); state !== "ended"; state = await stateOf(leadId)) {
    if (Date.now() > deadline) return;
    if (state === null) {
      const answer = await fetch(`${url}/api/make-call`, {
        method: "POST",
        headers: { cookie, "content-type": "application/json" },
        body: JSON.stringify({ leadId }),
      }).catch(() => null);
      if (answer?.ok) tally.acknowledged += 1;
      else tally.unanswered += 1;
      await answer?.body?.cancel();
    }
    await sleep(retryMs);
  }
}
