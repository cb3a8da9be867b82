import type { DiagnosticCheck, Integration } from "@portal/contract/entities/diagnostics";
import { formatNumber, formatRelative } from "../../lib/format.ts";
import { type Texts, useTexts } from "../../lib/i18n.ts";
import { findingTexts, todoTexts } from "./finding-texts.ts";

/** The key of the integration where there is one, else the plain one; null where there is nothing to say. */
function keyIn<C extends object>(texts: Texts<C>, integration: Integration, finding: string) {
  return [`${integration}_${finding}`, finding].find((key) => key in texts.pairs) ?? null;
}

/** Says what a check found, and what to do about it where something is amiss. */
export function useFindingWords() {
  const found = useTexts(findingTexts) as (key: string, values: object) => string;
  const todo = useTexts(todoTexts) as (key: string) => string;
  return (integration: Integration, { finding, status, values, at }: DiagnosticCheck) => {
    const said = keyIn(findingTexts, integration, finding) ?? finding;
    const numbers = Object.entries(values).map(([name, value]) => [name, formatNumber(value)]);
    const advice = status === "ok" ? null : keyIn(todoTexts, integration, finding);
    return {
      found: found(said, { ...Object.fromEntries(numbers), when: at ? formatRelative(at) : "" }),
      todo: advice && todo(advice),
    };
  };
}
