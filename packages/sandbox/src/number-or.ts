/** The number a text holds, or the fallback for no text and for no number. */
export function numberOr(text: string | undefined, fallback: number): number {
  const value = Number(text);
  return text === undefined || text === "" || Number.isNaN(value) ? fallback : value;
}
