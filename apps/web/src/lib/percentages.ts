/** Percents of the counts' total, not rounded; all zero where there is no total. */
export function percentagesOf(counts: readonly number[]): number[] {
  const total = counts.reduce((sum, count) => sum + count, 0);
  return counts.map((count) => (total === 0 ? 0 : (count * 100) / total));
}
