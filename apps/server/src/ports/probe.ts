/** What is left of a limit; null where the provider does not say. */
export interface LimitLeft {
  left: number | null;
  of: number | null;
}

/** Asks the CRM for as little as will do, to see its key taken. Errors: `ProviderError`; ends within 10 s. */
export interface CrmProbe {
  /** Where the CRM is reached. */
  readonly baseUrl: string;
  /** Errors: also `CrmScopeMissing` where its users may not be read, `CrmWrongLocation`. */
  probe(): Promise<{ burst: LimitLeft; daily: LimitLeft }>;
  /** The scopes that the key lacks, but for that of users: each asked for, changing nothing. Errors: as of `probe`. */
  missingScopes(): Promise<string[]>;
}

/** Where a number's calls and texts go, in the provider's words; an empty text where nothing is set. */
export const numberFields = [
  "voiceUrl",
  "voiceMethod",
  "voiceFallbackUrl",
  "voiceFallbackMethod",
  "statusCallback",
  "statusCallbackMethod",
  "smsUrl",
  "smsMethod",
  // Where one of these is set the addresses above are not asked.
  "voiceApplicationSid",
  "smsApplicationSid",
  "trunkSid",
] as const;
export type NumberSettings = Record<(typeof numberFields)[number], string>;

/** Where texts to a Messaging Service go. */
export interface ServiceSettings {
  inboundRequestUrl: string;
  inboundMethod: string;
  /** Each number's own address goes before the service's. */
  useInboundWebhookOnNumber: boolean;
  /** Numbers of its pool, and those of them that are not the system number. */
  senders: number;
  otherSenders: number;
}
/** A number of the Messaging Service's pool, by the provider's id. */
export interface PoolNumber {
  sid: string;
  settings: NumberSettings;
}
export type ServiceChanges = Partial<Omit<ServiceSettings, "senders" | "otherSenders">>;

/** What an address that calls fall back to would have the provider do. */
export interface FallbackScript {
  /** Whom it rings: phone numbers without their separators, null for what is none. */
  rings: (string | null)[];
  /** Seconds that it waits. */
  pauseSeconds: number;
  /** The address that it goes on with. */
  goesTo: string | null;
}

/**
 * Asks the telephony provider for what is configured here, the system number and the Messaging Service, to see its keys taken and where its
 * webhooks go. Errors: `ProviderError`; ends within 10 s.
 */
export interface TelephonyProbe {
  readonly baseUrl: string;
  /** The system number, E.164. */
  readonly number: string;
  /** Calls that may be started in a second: the provider does not publish its own limits. */
  readonly callsPerSecond: number;
  /** What our calls and the system number fall back to as configured; null where nobody said. */
  readonly callFallbackUrl: string | null;
  readonly numberFallbackUrl: string | null;
  /** Texts go out through a Messaging Service. */
  readonly usesService: boolean;
  /**
   * Asks what calls fall back to, with the query's parameters, which may not set anything off. Errors: `Error` whose message names the host
   * and a reason and no secret; ends within 5 s.
   */
  askFallback(address: string, params: Record<string, string>): Promise<FallbackScript>;
  /** Null where the account does not have the number. */
  readNumber(): Promise<NumberSettings | null>;
  /** Null where none is configured. */
  readService(): Promise<ServiceSettings | null>;
  /** Numbers of the service's pool but for the system number, as far as the account has them; none without a service. */
  readPool(): Promise<PoolNumber[]>;
  /** Sets these fields of the system number, and no other's. Throws `not-found` where the account does not have it. */
  changeNumber(changes: Partial<NumberSettings>): Promise<void>;
  /** Sets these fields of the configured Messaging Service. */
  changeService(changes: ServiceChanges): Promise<void>;
}
