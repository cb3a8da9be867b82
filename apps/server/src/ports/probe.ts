/** The remaining requests of a limit and its size; null if the provider does not say. */
export interface LimitLeft {
  left: number | null;
  of: number | null;
}

/** Sends the smallest possible request to the CRM, to check its key. Errors: `ProviderError`; ends within 10 s. */
export interface CrmProbe {
  readonly baseUrl: string;
  /** Errors: also `CrmScopeMissing` if the key may not read users, `CrmWrongLocation`. */
  probe(): Promise<{ burst: LimitLeft; daily: LimitLeft }>;
  /**
   * Returns the scopes that the key lacks, except the one for users. Each is checked by a request that changes nothing. Errors: as of
   * `probe`.
   */
  missingScopes(): Promise<string[]>;
}

/** Settings of a phone number for its calls and SMS, in the provider's words; '' if not set. */
export const numberFields = [
  "voiceUrl",
  "voiceMethod",
  "voiceFallbackUrl",
  "voiceFallbackMethod",
  "statusCallback",
  "statusCallbackMethod",
  "smsUrl",
  "smsMethod",
  // If one of these is set, the addresses above are not used.
  "voiceApplicationSid",
  "smsApplicationSid",
  "trunkSid",
] as const;
export type NumberSettings = Record<(typeof numberFields)[number], string>;

/** Settings of a Messaging Service for inbound SMS. */
export interface ServiceSettings {
  inboundRequestUrl: string;
  inboundMethod: string;
  /** Each number's own address is used instead of the service's. */
  useInboundWebhookOnNumber: boolean;
  /** Number of senders in the pool, and how many of them are not the system number. */
  senders: number;
  otherSenders: number;
}
/** A number in the Messaging Service's pool, with the provider's id. */
export interface PoolNumber {
  sid: string;
  settings: NumberSettings;
}
export type ServiceChanges = Partial<Omit<ServiceSettings, "senders" | "otherSenders">>;

/** What the script at a fallback address makes the provider do. */
export interface FallbackScript {
  /** The phone numbers that it calls, without separators; null for anything else that it calls. */
  rings: (string | null)[];
  pauseSeconds: number;
  /** The address that it continues with. */
  goesTo: string | null;
}

/**
 * Reads the provider's configuration of the system number and the Messaging Service, to check the keys and the addresses of webhooks.
 * Errors: `ProviderError`; ends within 10 s.
 */
export interface TelephonyProbe {
  readonly baseUrl: string;
  /** The system number, E.164. */
  readonly number: string;
  /** Configured number of calls that may be started per second; the provider does not publish its limit. */
  readonly callsPerSecond: number;
  /** Configured fallback addresses of our calls and of the system number; null if not set. */
  readonly callFallbackUrl: string | null;
  readonly numberFallbackUrl: string | null;
  /** Whether SMS are sent through a Messaging Service. */
  readonly usesService: boolean;
  /**
   * Requests the script at a fallback address, with the query's parameters, which must have no side effects. Errors: `Error` whose message
   * contains the host and a reason and no secret; ends within 5 s.
   */
  askFallback(address: string, params: Record<string, string>): Promise<FallbackScript>;
  /** Null if the account does not have the number. */
  readNumber(): Promise<NumberSettings | null>;
  /** Null if no Messaging Service is configured. */
  readService(): Promise<ServiceSettings | null>;
  /** The service's numbers except the system number, as far as they belong to the account; empty without a service. */
  readPool(): Promise<PoolNumber[]>;
  /** Changes settings of the system number only. Errors: `not-found` if the account does not have it. */
  changeNumber(changes: Partial<NumberSettings>): Promise<void>;
  /** Changes settings of the configured Messaging Service. */
  changeService(changes: ServiceChanges): Promise<void>;
}
