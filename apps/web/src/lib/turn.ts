/** Gives the browser a turn: to draw, or to answer a finger. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
