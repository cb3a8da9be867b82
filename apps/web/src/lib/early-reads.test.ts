import { HttpResponse, http } from "msw";
import { expect, it } from "vitest";
import { server } from "../testing/server.ts";
import { request } from "./api.ts";
import { endEarlyReads, hasEarlyReads, readEarly } from "./early-reads.ts";

/** Answers the how-many-th request this is. */
function countAnswers(status = 200) {
  let count = 0;
  server.use(
    http.get("/api/probe", () => {
      count += 1;
      return HttpResponse.json(count, { status });
    }),
  );
}
const read = async () => (await request("GET", "/api/probe")).data;

it("an early answer is given once, to whoever asks for its address first", async () => {
  countAnswers();
  readEarly(["/api/probe"]);
  expect(hasEarlyReads()).toBe(true);
  const [first, second] = await Promise.all([read(), read()]);
  expect([first, second]).toEqual([1, 2]);
  expect(hasEarlyReads()).toBe(false);
});

it("a refusal that came early is told as any other", async () => {
  countAnswers(403);
  readEarly(["/api/probe"]);
  await expect(read()).rejects.toThrow("403");
});

it("a server that was away early is told, and asked anew the next time", async () => {
  server.use(http.get("/api/probe", () => HttpResponse.error(), { once: true }));
  readEarly(["/api/probe"]);
  await expect(read()).rejects.toThrow(TypeError);
  countAnswers();
  expect(await read()).toBe(1);
});

it("what nobody has taken by the end is not given any more", async () => {
  countAnswers();
  readEarly(["/api/probe"]);
  expect(await endEarlyReads()).toBe(false);
  expect(await read()).toBe(2);
});

it("the end waits for those who took an answer that is still under way", async () => {
  countAnswers();
  readEarly(["/api/probe"]);
  let isThere = false;
  const reading = read().then(() => {
    isThere = true;
  });
  expect(await endEarlyReads()).toBe(true);
  expect(isThere).toBe(true);
  await reading;
});
