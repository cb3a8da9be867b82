import { expect, it, vi } from "vitest";
import { createPersonalStore, createStore, forgetPersonal } from "./store.ts";

it("calls its listeners for a value that differs, until they leave", () => {
  const store = createStore(1);
  const listener = vi.fn();
  const leave = store.subscribe(listener);
  store.set(1);
  expect(listener).not.toHaveBeenCalled();
  store.set(2);
  expect(store.get()).toBe(2);
  leave();
  store.set(3);
  expect(listener).toHaveBeenCalledOnce();
});

it("is active from the first listener to the last", () => {
  const stop = vi.fn();
  const start = vi.fn(() => stop);
  const store = createStore(1, start);
  const leaveFirst = store.subscribe(() => undefined);
  const leaveSecond = store.subscribe(() => undefined);
  leaveFirst();
  expect(stop).not.toHaveBeenCalled();
  leaveSecond();
  expect([start, stop].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
  store.subscribe(() => undefined);
  expect(start).toHaveBeenCalledTimes(2);
});

it("forgets what belongs to whoever was signed in, and nothing else", () => {
  const [own, common] = [createPersonalStore<string | null>(null), createStore("light")];
  own.set("Ana's");
  common.set("dark");
  forgetPersonal();
  expect([own.get(), common.get()]).toEqual([null, "dark"]);
});
