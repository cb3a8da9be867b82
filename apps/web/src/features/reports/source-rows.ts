import type { LeadsReport } from "@portal/contract/entities/report";
import { textOf } from "../../lib/i18n.ts";
import { sharesOf } from "../../lib/shares.ts";
import { figureTexts } from "./texts.ts";

export interface SourceRow {
  key: string;
  name: string;
  /** As it is kept; null for none. Undefined are all further ones together. */
  source: string | null | undefined;
  leads: number;
  share: number;
  /** Null where nobody counted them. */
  converted: number | null;
}

/** The sources with their percent of all leads; further ones together last. */
export function sourceRows({ sources, otherSources }: LeadsReport): SourceRow[] {
  const t = textOf(figureTexts);
  const rows: Omit<SourceRow, "share">[] = sources.map(({ source, ...counted }) => ({
    key: source === null ? "none" : `of ${source}`,
    name: source ?? t("noSource"),
    source,
    ...counted,
  }));
  if (otherSources > 0) {
    const others = { name: t("otherSources"), source: undefined, leads: otherSources, converted: null };
    rows.push({ key: "others", ...others });
  }
  const shares = sharesOf(rows.map(({ leads }) => leads));
  return rows.map((row, index) => ({ ...row, share: shares[index] ?? 0 }));
}
