import { expect, it } from "vitest";
import { inBatches } from "./in-batches.ts";

interface Note {
  lead: number;
  text: string;
}

const codes: Record<string, string | undefined> = { unreadable: "22P02", hanging: undefined };

/** Writes that take a turn of the event loop or two, as statements do. */
function openBook() {
  const batches: Note[][] = [];
  const write = inBatches(
    async (notes: readonly Note[]) => {
      batches.push([...notes]);
      await new Promise((done) => setTimeout(done, 5));
      const fault = notes.find(({ text }) => text in codes)?.text;
      if (fault) throw Object.assign(new Error(fault), { code: codes[fault] });
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

it("writes nothing a second time that may be written already", async () => {
  const { batches, write } = openBook();
  const [lost = { lead: 0, text: "" }, ...others] = notes(5);
  const answers = await Promise.allSettled([{ ...lost, text: "hanging" }, ...others].map(write));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => "rejected"));
  expect(batches).toHaveLength(1);
  expect(await write({ lead: 7, text: "afterwards" })).toBe("7 afterwards");
});

it("never writes two of one key together, and writes them in their order", async () => {
  const { batches, write } = openBook();
  const texts = ["first", "second", "unreadable", "fourth"];
  const answers = await Promise.allSettled(texts.map((text) => write({ lead: 1, text })));
  expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
  expect(batches.map((batch) => batch.map(({ text }) => text))).toEqual(texts.map((text) => [text]));
});

it("does not wait for ever behind those that hang", async () => {
  const begun: Note[] = [];
  const write = inBatches(
    (inputs: readonly Note[]) => {
      begun.push(...inputs);
      return new Promise<string[]>(() => undefined);
    },
    ({ lead }) => lead,
  );
  for (const note of notes(3)) {
    void write(note);
    await new Promise((done) => setTimeout(done, 5));
  }
  expect(begun).toHaveLength(1);
  await expect.poll(() => begun, { timeout: 3_000 }).toHaveLength(3);
});
