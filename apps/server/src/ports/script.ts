/** What the provider is to do next on a phone, ready to be sent as the answer to its request. */
export interface Script {
  contentType: string;
  body: string;
}

export type ScriptLanguage = "en" | "es";

/** Form fields of a provider's request; a repeated field is an array. */
export type WebhookParams = Record<string, string | string[]>;
