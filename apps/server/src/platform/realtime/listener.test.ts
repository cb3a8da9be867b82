import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../testing/test-database.ts";
import { listenForEvents } from "./listener.ts";

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

it("sends pending events before it closes, without an error", async () => {
  const errors: Error[] = [];
  const listen = () =>
    listenForEvents({ databaseUrl: test.url, onError: (error) => void errors.push(error) });
  const [sender, receiver] = await Promise.all([listen(), listen()]);
  const received: number[] = [];
  receiver.onEvent(({ id }) => void received.push(id));
  for (let id = 1; id <= 3; id += 1) sender.notify({ topic: "lead", id, audience: "all" });
  await sender.close();
  await expect.poll(() => received).toEqual([1, 2, 3]);
  await receiver.close();
  expect(errors).toEqual([]);
});

it("leaves a read-only server, whose events are not the primary's, and reports a possible gap", async () => {
  const name = new URL(test.url).pathname.slice(1);
  const client = new pg.Client({ connectionString: test.url });
  await client.connect();
  await client.query(`alter database ${name} set default_transaction_read_only = on`);
  const errors: string[] = [];
  const receiver = await listenForEvents({
    databaseUrl: test.url,
    onError: ({ message }) => void errors.push(message),
  });
  await client.query(`alter database ${name} reset default_transaction_read_only`);
  await client.end();
  let gaps = 0;
  await expect.poll(() => errors).toEqual(["the connection leads to a server that takes no writes"]);
  receiver.onGap(() => {
    gaps += 1;
  });
  await expect.poll(() => gaps).toBeGreaterThan(0);
  await receiver.close();
});
