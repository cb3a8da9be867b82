import type { MessageStatus } from "@portal/contract/entities/message";
import type { Script, WebhookParams } from "./telephony.ts";

/** Status of an outbound SMS, in the provider's words. */
export type SmsStatus = Exclude<MessageStatus, "requested" | "received">;

/** Status of an outbound SMS, as the provider's callback reports it. */
export interface SmsEvent {
  sid: string;
  /** Null for an unknown status. */
  status: SmsStatus | null;
  /** The provider's error code. */
  errorCode: number | null;
  /** The sender's number, E.164; null if the provider has not reported it yet. */
  from: string | null;
}

/** An outbound SMS as the provider stores it. */
export interface ProviderSms extends SmsEvent {
  body: string;
  segments: number | null;
  createdAt: Date | null;
}

/** An SMS to one of our numbers. */
export interface InboundSms {
  sid: string;
  from: string;
  to: string;
  body: string;
  /** Number of attached pictures and other files. */
  mediaCount: number;
  /** How the provider classified the SMS, whatever its text; null if it does not say. */
  optOut: "stop" | "start" | "help" | null;
}

/**
 * SMS through a telephony provider. Methods that send a request throw `ProviderError`; its `ambiguous` means that the request may have
 * taken effect despite the error.
 */
export interface SmsProvider {
  /**
   * The sender's number, E.164. If the provider chooses a number for each recipient, the number that is shown until it has reported one.
   */
  readonly senderNumber: string;

  /** Sends an SMS; `statusUrl` receives its status. The adapter never repeats the request, because two requests send two SMS. */
  sendSms(input: { to: string; body: string; statusUrl: string }): Promise<ProviderSms>;
  /** Returns an SMS; null if the provider does not know it. */
  findSms(sid: string): Promise<ProviderSms | null>;
  /**
   * Returns outbound SMS to a number since an instant, newest first. They are searched by number because the provider stores no reference
   * of ours.
   */
  findSmsTo(input: { to: string; since: Date }): Promise<ProviderSms[]>;

  /**
   * Returns inbound SMS since an instant, newest first: those to our number, and those to the account's other numbers whose SMS go to
   * `address`. `optOut` is not included.
   */
  listInbound(input: { since: Date; address: string }): Promise<(InboundSms & { at: Date | null })[]>;

  /** Whether the provider signed this request. `url` is the public address that it was sent to, with its query. */
  isSigned(input: { signature: string; url: string; params: WebhookParams }): boolean;
  readSmsEvent(params: WebhookParams): SmsEvent | null;
  readInboundSms(params: WebhookParams): InboundSms | null;
  /** An empty response to a request that only reports something. */
  acknowledge(): Script;
}
