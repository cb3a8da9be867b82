import DataLoader from "dataloader";
import { postgresCode } from "./client.ts";

const largest = 50;
/** A batch waits no longer for those before it: where they hang, the pool says how long there is still hope. */
const patienceMs = 1_000;

/** Faults of what one input brings, and deadlocks: PostgreSQL refused the statement, so that nothing of it is written. */
const refused = (error: unknown) => /^(22|23|40)/.test(postgresCode(error) ?? "");

/**
 * Writes together what several requests ask for at about the same time: a statement and a commit for many take little longer than for one. Who
 * is alone waits for nobody. `write` answers for each input, in their order. Inputs of one key never share a batch, and the first to come goes
 * first. Where PostgreSQL refuses a batch, each of its inputs is written by itself; any other error is that of all, as some of it may be written.
 */
export function inBatches<Input extends object, Answer>(
  write: (inputs: readonly Input[]) => Promise<Answer[]>,
  keyOf: (input: Input) => unknown,
): (input: Input) => Promise<Answer> {
  const writeAlone = async (input: Input) => (await write([input]))[0] as Answer;

  /** Promises among the answers are waited for by those alone who asked. */
  async function writeAll(inputs: readonly Input[]): Promise<(Answer | Promise<Answer> | Error)[]> {
    const firsts = new Map(inputs.toReversed().map((input) => [keyOf(input), input]));
    const isFirst = (input: Input) => firsts.get(keyOf(input)) === input;
    const together = inputs.filter(isFirst);
    const answers = new Map<Input, Answer | Promise<Answer> | Error>();
    for (const input of inputs) {
      if (isFirst(input)) continue;
      const later = loader.load(input);
      // It may fail before this batch has its answers.
      later.catch(() => undefined);
      answers.set(input, later);
    }
    try {
      const written = await write(together);
      for (const [index, input] of together.entries()) answers.set(input, written[index] as Answer);
    } catch (error) {
      const isEachTried = together.length > 1 && refused(error);
      for (const input of together) answers.set(input, isEachTried ? writeAlone(input) : (error as Error));
    }
    return inputs.map((input) => answers.get(input) as Answer);
  }

  const ready: (() => void)[] = [];
  let working = 0;
  // One works while the next one gathers: two halves would take longer than the whole.
  const startNext = () => {
    if (working === 0) ready.shift()?.();
  };

  function schedule(dispatch: () => void): void {
    const start = () => {
      clearTimeout(patience);
      if (ready.includes(start)) ready.splice(ready.indexOf(start), 1);
      working += 1;
      dispatch();
    };
    const patience = setTimeout(start, patienceMs);
    ready.push(start);
    startNext();
  }

  const loader: DataLoader<Input, Answer> = new DataLoader(
    (inputs) =>
      (writeAll(inputs) as Promise<(Answer | Error)[]>).finally(() => {
        working -= 1;
        startNext();
      }),
    {
      cache: false,
      maxBatchSize: largest,
      // What arrives in this turn of the event loop goes together.
      batchScheduleFn: (dispatch) => void setImmediate(schedule, dispatch),
    },
  );
  return (input) => loader.load(input);
}
