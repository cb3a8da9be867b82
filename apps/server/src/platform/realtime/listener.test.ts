import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../testing/test-database.ts";
import { listenForEvents } from "./listener.ts";

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

it("tells what it was given before it closes, and nothing of it fails", async () => {
  const errors: Error[] = [];
  const listen = () =>
    listenForEvents({ databaseUrl: test.url, onError: (error) => void errors.push(error) });
  const [teller, hearer] = await Promise.all([listen(), listen()]);
  const heard: number[] = [];
  hearer.onEvent(({ id }) => void heard.push(id));
  for (let id = 1; id <= 3; id += 1) teller.notify({ topic: "lead", id, audience: "all" });
  await teller.close();
  await expect.poll(() => heard).toEqual([1, 2, 3]);
  await hearer.close();
  expect(errors).toEqual([]);
});
