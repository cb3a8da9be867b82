import { waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, it, vi } from "vitest";
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
  return () => count;
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

it.each([
  ["was away", () => HttpResponse.error()],
  ["had failed", () => new HttpResponse("Bad gateway", { status: 502 })],
])("a server that %s early is asked anew", async (_, answer) => {
  countAnswers();
  server.use(http.get("/api/probe", answer, { once: true }));
  readEarly(["/api/probe"]);
  expect(await read()).toBe(1);
});

it("an answer that nobody has taken for long is dropped", async () => {
  countAnswers();
  readEarly(["/api/probe"]);
  const now = performance.now();
  vi.spyOn(performance, "now").mockReturnValue(now + 10_001);
  expect(await read()).toBe(2);
});

it("what nobody has taken by the end is not given any more", async () => {
  const count = countAnswers();
  readEarly(["/api/probe"]);
  await waitFor(() => expect(count()).toBe(1));
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
