/** Parses a number, or returns the fallback if there is none. */
export function numberOr(text: string | undefined, fallback: number): number {
  const value = Number(text);
  return text === undefined || text === "" || Number.isNaN(value) ? fallback : value;
}
