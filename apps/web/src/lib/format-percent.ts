import { currentLocale, formatNumber } from "./format.ts";

/** Percents are rounded to tenths everywhere: cards, tables, bars and exports. */
export const roundPercent = (percent: number): number => Math.round(percent * 10) / 10;

/**
 * Formats percents of 0 to 100: '12.5%', '50%'. Values that are not 0 or 100 but would round to it become '<0.1%' and '>99.9%'. `inColumn`
 * keeps the decimal of whole numbers for alignment.
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

/** Formats a mean: '2.4'; below 1 with two decimals, '0.02'; '<0.01' instead of a rounded 0. */
export function formatMean(mean: number): string {
  if (mean > 0 && mean < 0.005) return `<${formatNumber(0.01)}`;
  return formatNumber(mean, { maximumFractionDigits: mean < 1 ? 2 : 1 });
}

/** Unrounded percents of the counts' total; all zero if the total is zero. */
export function percentagesOf(counts: readonly number[]): number[] {
  const total = counts.reduce((sum, count) => sum + count, 0);
  return counts.map((count) => (total === 0 ? 0 : (count * 100) / total));
}
