import DataLoader from "dataloader";

/** Two batches work while the next one gathers: more would wait for the same few processors. */
const atOnce = 2;
const largest = 50;

/**
 * Writes together what several requests ask for at about the same time: a statement and a commit for many take little longer than for one. Who
 * is alone waits for nobody. `write` answers for each input, in their order; inputs of one key never share a batch. Where a batch fails,
 * each of its inputs is written by itself: none suffers from another.
 */
export function inBatches<Input, Answer>(
  write: (inputs: readonly Input[]) => Promise<Answer[]>,
  keyOf: (input: Input) => unknown,
): (input: Input) => Promise<Answer> {
  async function settle(inputs: readonly Input[], answers: Map<Input, Answer | Error>): Promise<void> {
    try {
      const written = await write(inputs);
      for (const [index, input] of inputs.entries()) answers.set(input, written[index] as Answer);
    } catch (error) {
      const [input, ...others] = inputs;
      if (input && others.length === 0) answers.set(input, error as Error);
      else for (const each of inputs) await settle([each], answers);
    }
  }

  async function writeAll(inputs: readonly Input[]): Promise<(Answer | Error)[]> {
    const answers = new Map<Input, Answer | Error>();
    const together = [...new Map(inputs.map((input) => [keyOf(input), input])).values()];
    await settle(together, answers);
    for (const input of inputs) if (!answers.has(input)) await settle([input], answers);
    return inputs.map((input) => answers.get(input) as Answer | Error);
  }

  const ready: (() => void)[] = [];
  let working = 0;
  const startNext = () => {
    if (working === atOnce) return;
    const dispatch = ready.shift();
    if (!dispatch) return;
    working += 1;
    dispatch();
  };
  const loader = new DataLoader<Input, Answer>(
    (inputs) =>
      writeAll(inputs).finally(() => {
        working -= 1;
        startNext();
      }),
    {
      cache: false,
      maxBatchSize: largest,
      // What arrives in this turn of the event loop goes together.
      batchScheduleFn: (dispatch) => {
        setImmediate(() => {
          ready.push(dispatch);
          startNext();
        });
      },
    },
  );
  return (input) => loader.load(input);
}
