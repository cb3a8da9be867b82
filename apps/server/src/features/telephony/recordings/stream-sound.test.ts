import { PassThrough, Readable } from "node:stream";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { passOn, readRange } from "./stream-sound.ts";

async function read(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe("streaming a sound", () => {
  it("returns any range of any chunks", async () => {
    const chunks = fc.array(fc.uint8Array({ minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(chunks, fc.nat(), fc.nat(), async (parts, a, b) => {
        const buffers = parts.map((part) => Buffer.from(part));
        const all = Buffer.concat(buffers);
        const [start, end] = [a % all.length, b % all.length].toSorted((x, y) => x - y) as [number, number];
        const source = Readable.from(buffers, { objectMode: false });
        expect((await read(passOn(source, { start, end }))).equals(all.subarray(start, end + 1))).toBe(true);
      }),
    );
  });

  it("closes the source when the client disconnects", async () => {
    const source = new PassThrough();
    source.write("a beginning");
    const stream = passOn(source, null);
    for await (const _chunk of stream) break;
    await new Promise((resolve) => setImmediate(resolve));
    expect(source.destroyed).toBe(true);
  });

  it("closes the source when the range is complete", async () => {
    const source = new PassThrough();
    source.write("0123456789");
    expect((await read(passOn(source, { start: 2, end: 4 }))).toString()).toBe("234");
    expect(source.destroyed).toBe(true);
  });

  it("aborts when the source fails", async () => {
    const source = new PassThrough();
    source.write("a beginning");
    setImmediate(() => source.destroy(new Error("cut")));
    await expect(read(passOn(source, null))).rejects.toThrow("cut");
  });

  it("aborts when the source failed before it was read", async () => {
    const source = new PassThrough();
    const stream = passOn(source, null);
    source.destroy(new Error("cut"));
    await new Promise((resolve) => setImmediate(resolve));
    await expect(read(stream)).rejects.toThrow("cut");
  });
});

describe("range headers", () => {
  it.each([
    [undefined, null],
    ["bytes=0-0", { start: 0, end: 0 }],
    ["bytes=5-", { start: 5, end: 9 }],
    ["bytes=5-500", { start: 5, end: 9 }],
    ["bytes=-3", { start: 7, end: 9 }],
    ["bytes=-30", { start: 0, end: 9 }],
    ["bytes=10-", "unsatisfiable"],
    ["bytes=-0", "unsatisfiable"],
    ["bytes=3-2", null],
    ["bytes=-", null],
    ["bytes=0-1,3-4", null],
    ["lines=1-2", null],
  ])("parse %j of ten bytes as %j", (header, range) => {
    expect(readRange(header, 10)).toEqual(range);
  });
});
