import { currentLocale, formatNumber } from "./format.ts";

/** Percents are rounded to tenths wherever they stand: on cards, in tables and bars, and in exports. */
export const roundPercent = (percent: number): number => Math.round(percent * 10) / 10;

/**
 * Percents of 0 to 100 as '12.5%', '50%'. What is something but rounds to nothing reads '<0.1%', what is not all but rounds to it '>99.9%'.
 * `inColumn` keeps the tenth of whole ones, so that the figures of a column line up.
 */
export function formatPercent(
  percent: number,
  { inColumn = false, locale = currentLocale() }: { inColumn?: boolean; locale?: string } = {},
): string {
  const rounded = roundPercent(percent);
  const write = (value: number) =>
    new Intl.NumberFormat(locale, {
      style: "percent",
      minimumFractionDigits: inColumn ? 1 : 0,
      maximumFractionDigits: 1,
    }).format(value / 100);
  if (percent > 0 && rounded === 0) return `<${write(0.1)}`;
  if (percent < 100 && rounded === 100) return `>${write(99.9)}`;
  return write(rounded);
}

/** A mean: '2.4'; below 1 with two decimals, '0.02', and never 0 where it is not, '<0.01'. */
export function formatMean(mean: number): string {
  if (mean > 0 && mean < 0.005) return `<${formatNumber(0.01)}`;
  return formatNumber(mean, { maximumFractionDigits: mean < 1 ? 2 : 1 });
}

/** Percents of the counts' total, not rounded; all zero where there is no total. */
export function percentagesOf(counts: readonly number[]): number[] {
  const total = counts.reduce((sum, count) => sum + count, 0);
  return counts.map((count) => (total === 0 ? 0 : (count * 100) / total));
}
