/** What is left of a limit; null where the provider does not say. */
export interface LimitLeft {
  left: number | null;
  of: number | null;
}

/** Asks the CRM for as little as will do, to see its key taken. Errors: `ProviderError`; ends within 10 s. */
export interface CrmProbe {
  /** Where the CRM is reached. */
  readonly baseUrl: string;
  probe(): Promise<{ burst: LimitLeft; daily: LimitLeft }>;
}

/** Asks the telephony provider for the system number, to see its keys taken. Errors: `ProviderError`; ends within 10 s. */
export interface TelephonyProbe {
  readonly baseUrl: string;
  /** Calls that may be started in a second: the provider does not publish its own limits. */
  readonly callsPerSecond: number;
  /** Where the number's calls and texts are sent; null where the account does not have the number. */
  probe(): Promise<{ voiceUrl: string | null; textUrl: string | null; statusUrl: string | null } | null>;
}
