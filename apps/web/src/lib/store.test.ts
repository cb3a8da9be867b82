import { expect, it, vi } from "vitest";
import { createPersonalStore, createStore, forgetPersonal } from "./store.ts";

it("calls its listeners when the value changes, until they unsubscribe", () => {
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

it("is started by the first listener and stopped after the last", () => {
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

it("resets only personal stores at sign-out", () => {
  const [own, common] = [createPersonalStore<string | null>(null), createStore("light")];
  own.set("Ana's");
  common.set("dark");
  forgetPersonal();
  expect([own.get(), common.get()]).toEqual([null, "dark"]);
});
