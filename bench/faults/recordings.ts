import type { MadeRecording } from "../../apps/server/src/testing/line-truth.ts";

const accountSid = `AC${"1".padStart(32, "0")}`;
const authToken = "sandbox-auth-token";

/** All recordings in the provider's own list, read page by page. */
export async function listMade(sandboxUrl: string): Promise<MadeRecording[]> {
  const made: MadeRecording[] = [];
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString("base64")}`;
  let path: string | null = `/2010-04-01/Accounts/${accountSid}/Recordings.json?PageSize=200`;
  while (path) {
    const answer = await fetch(`${sandboxUrl}/twilio${path}`, { headers: { authorization } });
    const page = (await answer.json()) as {
      recordings: { sid: string; call_sid: string; status: string; start_time: string }[];
      next_page_uri: string | null;
    };
    for (const { sid, call_sid, status, start_time } of page.recordings)
      made.push({ sid, callSid: call_sid, status, startedAt: start_time });
    path = page.next_page_uri;
  }
  return made;
}
