import i18next from "i18next";
import { useMemo, useSyncExternalStore } from "react";
import { readStored, STORAGE_KEYS, writeStored } from "./storage-keys.ts";

export const LANGUAGES = ["en", "es"] as const;
export type Language = (typeof LANGUAGES)[number];

/**
 * A message in English and in Spanish. `{name}` is replaced by a value, numbers with thousands separators; keys ending in `_one` and
 * `_other` form a plural by `count`.
 */
export type MessagePair = readonly [en: string, es: string];
type Catalogue = Readonly<Record<string, MessagePair>>;

type Base<K extends string> = K extends `${infer B}_one` | `${infer B}_other` ? B : K;
type IsPlural<C, K extends string> = `${K}_other` extends keyof C ? true : false;
type Slots<S> = S extends `${string}{${infer V}}${infer Rest}` ? V | Slots<Rest> : never;
type PairOf<C, K extends string> = K extends keyof C
  ? C[K]
  : `${K}_other` extends keyof C
    ? C[`${K}_other`]
    : never;
type SlotsOf<C, K extends string> = PairOf<C, K> extends readonly [infer En, string] ? Slots<En> : never;
type Values<C, K extends string> = Record<SlotsOf<C, K>, string | number> &
  (IsPlural<C, K> extends true ? { count: number } : unknown);
type Rest<C, K extends string> = [SlotsOf<C, K>] extends [never]
  ? IsPlural<C, K> extends true
    ? [values: Values<C, K>]
    : []
  : [values: Values<C, K>];

export type MessageKey<C> = Base<Extract<keyof C, string>>;
export type Translate<C> = <K extends MessageKey<C>>(key: K, ...values: Rest<C, K>) => string;

/** The messages of one feature: made by `defineMessages`, read by `useMessages` and `messagesOf`. */
export interface Messages<C> {
  readonly namespace: string;
  readonly pairs: C;
}

const registered = new Map<string, Messages<Catalogue>>();

/** All registered catalogues, for tests that compare the languages. */
export const allMessages: ReadonlyMap<string, Messages<Catalogue>> = registered;

/** Numbers in messages get thousands separators; pass ids and codes as strings. */
function writeValue(value: string | number, language: Language): string {
  if (typeof value !== "number") return String(value);
  if (Number.isInteger(value) && Math.abs(value) < 1_000) return String(value);
  return value.toLocaleString(language === "es" ? "es-US" : "en-US");
}

const i18n = i18next.createInstance();
void i18n.init({
  lng: readStored(STORAGE_KEYS.language) === "es" ? "es" : "en",
  fallbackLng: false,
  initAsync: false,
  resources: {},
  interpolation: { prefix: "{", suffix: "}", escapeValue: false },
});

/**
 * Registers a feature's messages, en and es side by side. Call it once per namespace at module level:
 * `const leadsMessages = defineMessages('leads', { title: ['My Assigned Leads', 'Mis prospectos asignados'] })`.
 */
export function defineMessages<const C extends Catalogue>(namespace: string, pairs: C): Messages<C> {
  const messages = { namespace, pairs };
  registered.set(namespace, messages);
  for (const [index, language] of LANGUAGES.entries()) {
    const bundle: Record<string, string> = {};
    for (const [key, pair] of Object.entries<MessagePair>(pairs)) {
      bundle[key] = pair[index] ?? "";
      // Spanish has a third plural form, for millions; our messages are the same there.
      if (key.endsWith("_other")) bundle[key.replace(/_other$/, "_many")] = pair[index] ?? "";
    }
    i18n.addResourceBundle(language, namespace, bundle, true, true);
  }
  return messages;
}

function translator<C>({ namespace, pairs }: Messages<C>, language: Language): Translate<C> {
  const t = i18n.getFixedT(language, namespace) as (key: string, values: object) => string;
  const texts = pairs as Catalogue;
  const index = LANGUAGES.indexOf(language);
  return (key, ...[values]) => {
    if (!values) return texts[key]?.[index] ?? key;
    const given: Record<string, string | number> = values;
    const replace = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, writeValue(value, language)]),
    );
    return t(key, { count: given.count, replace });
  };
}

/** The typed `t` of a feature in the current language; re-renders when the language changes. */
export function useMessages<C>(messages: Messages<C>): Translate<C> {
  const language = useLanguage();
  return useMemo(() => translator(messages, language), [messages, language]);
}

function onLanguageChange(listener: () => void): () => void {
  i18n.on("languageChanged", listener);
  return () => i18n.off("languageChanged", listener);
}

/** The current language; re-renders when it changes. */
export function useLanguage(): Language {
  return useSyncExternalStore(onLanguageChange, currentLanguage);
}

/** `t` outside of components (toasts in mutation hooks), in the language at the time of each call. */
export function messagesOf<C>(messages: Messages<C>): Translate<C> {
  return translator(messages, currentLanguage());
}

export function currentLanguage(): Language {
  return i18n.language === "es" ? "es" : "en";
}

/** Applies a language, stores it in this browser, and updates `<html lang>`. */
export function setLanguage(language: Language): void {
  writeStored(STORAGE_KEYS.language, language);
  document.documentElement.lang = language;
  void i18n.changeLanguage(language);
}
