import type { ContactHours } from "../../values/contact-window.ts";

/** What a market asks of those who contact its leads. */
export interface Market {
  /** Countries whose numbers may be called and texted, ISO 3166. */
  countries: readonly string[];
  /** Hours of the lead's day; null where any hour will do. */
  hours: ContactHours | null;
  /** Nobody is contacted without a record that they agreed. */
  needsConsent: boolean;
  /** Carriers block texts to numbers that opted out, so that no reason of ours gets one through. */
  blocksOptedOutTexts: boolean;
}

/**
 * US: calls from 8 a.m. to 9 p.m. at the called party's location (47 CFR 64.1200(c)(1)). ES: only with consent (Ley 11/2022,
 * art. 66.1.b), and from 9 to 21 h (Real Decreto Legislativo 1/2007, art. 96.2). OPEN: for demonstrations, where nobody is real.
 */
export const markets: Record<"US" | "ES" | "OPEN", Market> = {
  US: {
    countries: ["US", "PR", "CA"],
    hours: { from: 8, until: 21 },
    needsConsent: false,
    blocksOptedOutTexts: true,
  },
  ES: {
    countries: ["ES"],
    hours: { from: 9, until: 21 },
    needsConsent: true,
    blocksOptedOutTexts: true,
  },
  OPEN: {
    countries: ["US", "PR", "CA", "ES", "MX"],
    hours: null,
    needsConsent: false,
    blocksOptedOutTexts: false,
  },
};
