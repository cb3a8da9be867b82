import type { MessageStatus } from "@portal/contract/entities/message";
import type { Script, WebhookParams } from "./telephony.ts";

/** How far a text of ours has come, by the provider's word. */
export type TextStatus = Exclude<MessageStatus, "requested" | "received">;

/** News of a text of ours. */
export interface TextNews {
  sid: string;
  /** Null for a status that we do not know. */
  status: TextStatus | null;
  /** The provider's code of a failure. */
  errorCode: number | null;
}

/** A text of ours as the provider keeps it. */
export interface ProviderText extends TextNews {
  body: string;
  segments: number | null;
  createdAt: Date | null;
}

/** A text that somebody sent to the system number. */
export interface InboundText {
  sid: string;
  from: string;
  to: string;
  body: string;
  /** Pictures and other files that came with it. */
  mediaCount: number;
}

/**
 * Texts through a telephony provider. Methods that ask the provider throw `ProviderError`; its `ambiguous` says that the request
 * may have taken effect all the same.
 */
export interface Texting {
  /** The number that texts come from, E.164. */
  readonly senderNumber: string;

  /** Sends a text; `statusUrl` is told how it fares. Never repeated by the adapter: two requests are two texts. */
  sendText(input: { to: string; body: string; statusUrl: string }): Promise<ProviderText>;
  /** One text; null where the provider does not know it. */
  findText(sid: string): Promise<ProviderText | null>;
  /** Texts of ours to a number made since an instant, newest first: there is no reference of ours to look up by. */
  findTextsTo(input: { to: string; since: Date }): Promise<ProviderText[]>;

  /** Whether the provider signed this request; `url` is the public address it was sent to, query included. */
  isSigned(input: { signature: string; url: string; params: WebhookParams }): boolean;
  readTextNews(params: WebhookParams): TextNews | null;
  readInboundText(params: WebhookParams): InboundText | null;
  /** Nothing to send back: the answer to a request that only tells something. */
  acknowledge(): Script;
}
