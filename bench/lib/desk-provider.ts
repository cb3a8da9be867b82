import { createHmac, randomBytes } from "node:crypto";
import { createServer } from "node:http";

/** The account that the portal of the bench is configured with. */
export const account = {
  TWILIO_ACCOUNT_SID: `AC${"7".repeat(32)}`,
  TWILIO_AUTH_TOKEN: "token-of-the-bench",
  TWILIO_PHONE_NUMBER: "+12125550100",
  TWILIO_CPS: "1000",
};

const newSid = () => `CA${randomBytes(16).toString("hex")}`;

/**
 * A minimal telephony provider: every call is accepted at once. Its callbacks are sent by the load (`callSteps`), so that the provider
 * takes next to nothing of the machine. @returns its address, and a function that stops it
 */
export async function startDeskProvider(): Promise<{ url: string; stop: () => void }> {
  const server = createServer((incoming, response) => {
    incoming.resume().on("end", () => {
      response.writeHead(201, { "content-type": "application/json" });
      response.end(JSON.stringify({ sid: newSid(), status: "queued", direction: "outbound-api" }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

export interface CallStep {
  waitMs: number;
  /** A webhook reports a status; a question requests instructions. */
  kind: "webhook" | "question";
  path: string;
  params: Record<string, string>;
}

/** Twilio's requests during one call, in order (twilio.com/docs/voice/api/call-resource#statuscallback). */
export function callSteps(call: { callSid: string; callId: number; isAnswered: boolean }): CallStep[] {
  const leadSid = newSid();
  const step = (
    waitMs: number,
    name: string,
    params: Record<string, string>,
    kind: CallStep["kind"] = "webhook",
  ) => ({
    waitMs,
    kind,
    path: `/api/twilio/voice/${name}?call=${call.callId}`,
    params: { AccountSid: account.TWILIO_ACCOUNT_SID, Timestamp: new Date().toUTCString(), ...params },
  });
  const rep = (CallStatus: string, SequenceNumber: string, more = {}) => ({
    CallSid: call.callSid,
    CallStatus,
    SequenceNumber,
    ...more,
  });
  const lead = (CallStatus: string, SequenceNumber: string, more = {}) => ({
    CallSid: leadSid,
    ParentCallSid: call.callSid,
    CallStatus,
    SequenceNumber,
    ...more,
  });
  const dialled = [
    step(100, "rep-status", rep("initiated", "0")),
    step(100, "rep-status", rep("ringing", "1")),
    step(800, "answered", rep("in-progress", "2"), "question"),
    step(400, "confirm", rep("in-progress", "2", { Digits: "1" }), "question"),
    step(200, "lead-status", lead("initiated", "0")),
    step(200, "lead-status", lead("ringing", "1")),
  ];
  const ended = call.isAnswered
    ? [
        step(1_000, "notice", lead("in-progress", "2"), "question"),
        step(50, "lead-status", lead("in-progress", "2")),
        step(500, "detection", { CallSid: leadSid, AnsweredBy: "human" }),
        step(3_000, "lead-status", lead("completed", "3", { CallDuration: "5" })),
      ]
    : [step(2_000, "lead-status", lead("no-answer", "2", { CallDuration: "0" }))];
  const DialCallStatus = call.isAnswered ? "completed" : "no-answer";
  return [
    ...dialled,
    ...ended,
    step(
      50,
      "dial-done",
      rep("in-progress", "2", {
        DialCallSid: leadSid,
        DialCallStatus,
        ...(call.isAnswered && { DialCallDuration: "4" }),
      }),
      "question",
    ),
    step(50, "rep-status", rep("completed", "3", { CallDuration: "9" })),
  ];
}

/** A form signed as by Twilio (twilio.com/docs/usage/webhooks/webhooks-security). */
export function signedForm(
  url: string,
  path: string,
  params: Record<string, string>,
  authToken = account.TWILIO_AUTH_TOKEN,
) {
  const signed = Object.keys(params)
    .sort()
    .reduce((text, name) => text + name + params[name], `${url}${path}`);
  return {
    path,
    text: new URLSearchParams(params).toString(),
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      "x-twilio-signature": createHmac("sha1", authToken).update(signed).digest("base64"),
    },
  };
}
