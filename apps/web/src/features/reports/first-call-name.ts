import { textOf } from "../../lib/i18n.ts";
import { figureTexts } from "./texts.ts";

/** The band that ends at so many minutes: 'Within 5 minutes'; null is open. */
export function firstCallName(minutes: number | null): string {
  const t = textOf(figureTexts);
  if (minutes === 5 || minutes === 60 || minutes === 1_440) return t(`within_${minutes}`);
  return t("later");
}
