export const print = (text: string): void => void process.stdout.write(`${text}\n`);

/** Milliseconds as seconds with one decimal. */
export const seconds = (ms: number): string => (ms / 1_000).toFixed(1);
