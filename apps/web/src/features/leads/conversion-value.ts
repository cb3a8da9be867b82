import { limits } from "@portal/contract/limits";

const largest = 999_999_999;

/** The amount that was typed, 0 where nothing was; null where it is no amount that the server takes. */
export function parseConversionValue(typed: string): number | null {
  if (typed.trim() === "") return limits.conversionValueDefault;
  const value = Number(typed);
  return value >= 0 && value <= largest ? value : null;
}
