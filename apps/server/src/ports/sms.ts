import type { MessageStatus } from "@portal/contract/entities/message";
import type { Script, WebhookParams } from "./telephony.ts";

/** How far an SMS of ours has come, in the provider's word. */
export type SmsStatus = Exclude<MessageStatus, "requested" | "received">;

/** How a text of ours fares, as the provider's callback says. */
export interface SmsEvent {
  sid: string;
  /** Null for a status that we do not know. */
  status: SmsStatus | null;
  /** The provider's code of a failure. */
  errorCode: number | null;
  /** The number that it was sent from, E.164; null while the provider has not said. */
  from: string | null;
}

/** A text of ours as the provider keeps it. */
export interface ProviderSms extends SmsEvent {
  body: string;
  segments: number | null;
  createdAt: Date | null;
}

/** A text that somebody sent to a number of ours. */
export interface InboundSms {
  sid: string;
  from: string;
  to: string;
  body: string;
  /** Pictures and other files that came with it. */
  mediaCount: number;
  /** What the provider took it for, whatever its words; null where it does not say. */
  optOut: "stop" | "start" | "help" | null;
}

/**
 * SMS through a telephony provider. Methods that ask the provider throw `ProviderError`; its `ambiguous` says that the request
 * may have taken effect all the same.
 */
export interface SmsProvider {
  /** The number that texts come from, E.164; where the provider chooses one for each person, what stands in for it until then. */
  readonly senderNumber: string;

  /** Sends a text; `statusUrl` receives its status. Never repeated by the adapter: two requests are two texts. */
  sendSms(input: { to: string; body: string; statusUrl: string }): Promise<ProviderSms>;
  /** One text; null where the provider does not know it. */
  findSms(sid: string): Promise<ProviderSms | null>;
  /** Texts of ours to a number made since an instant, newest first: there is no reference of ours to look up by. */
  findSmsTo(input: { to: string; since: Date }): Promise<ProviderSms[]>;

  /** What was sent to our number, and to the account's others whose texts go to `address`, since an instant, newest first. `optOut` is not told here. */
  listInbound(input: { since: Date; address: string }): Promise<(InboundSms & { at: Date | null })[]>;

  /** Whether the provider signed this request; `url` is the public address it was sent to, query included. */
  isSigned(input: { signature: string; url: string; params: WebhookParams }): boolean;
  readSmsEvent(params: WebhookParams): SmsEvent | null;
  readInboundSms(params: WebhookParams): InboundSms | null;
  /** Nothing to send back: the answer to a request that only reports something. */
  acknowledge(): Script;
}
