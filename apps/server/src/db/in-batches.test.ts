import { expect, it } from "vitest";
import { inBatches } from "./in-batches.ts";

interface Note {
  lead: number;
  text: string;
}

/** Writes that take a turn of the event loop or two, as statements do. */
function openBook() {
  const batches: Note[][] = [];
  const write = inBatches(
    async (notes: readonly Note[]) => {
      batches.push([...notes]);
      await new Promise((done) => setTimeout(done, 5));
      if (notes.some(({ text }) => text === "unreadable")) throw new Error("unreadable");
      return notes.map(({ lead, text }) => `${lead} ${text}`);
    },
    ({ lead }) => lead,
  );
  return { batches, write };
}

const notes = (count: number) => Array.from({ length: count }, (_value, lead) => ({ lead, text: "hello" }));

it("writes together what comes together, and answers each", async () => {
  const { batches, write } = openBook();
  expect(await Promise.all(notes(120).map(write))).toEqual(notes(120).map(({ lead }) => `${lead} hello`));
  expect(batches.flat()).toHaveLength(120);
  expect(batches.length).toBeLessThan(5);
  expect(await write({ lead: 7, text: "alone" })).toBe("7 alone");
});

it("keeps all others where one cannot be written", async () => {
  const { write } = openBook();
  const [bad = { lead: 0, text: "" }, ...others] = notes(5);
  const answers = await Promise.allSettled([{ ...bad, text: "unreadable" }, ...others].map(write));
  expect(answers.map(({ status }) => status)).toEqual(["rejected", ...others.map(() => "fulfilled")]);
  expect(answers[0]).toMatchObject({ reason: new Error("unreadable") });
});

it("never writes two of one key together, and loses neither", async () => {
  const { batches, write } = openBook();
  const texts = ["first", "second", "third"];
  const answers = await Promise.all(texts.map((text) => write({ lead: 1, text })));
  expect(answers).toEqual(["1 first", "1 second", "1 third"]);
  for (const batch of batches) expect(batch).toHaveLength(1);
  expect(batches.flat()).toHaveLength(3);
});
