import { afterEach, describe, expect, it, vi } from "vitest";
import { watchOpenTabs } from "./watch-open-tabs.ts";

const stops: (() => void)[] = [];

/** A separate tab: tabs of one test share a window, so their listeners are kept apart. */
function openTab() {
  const onLastLeft = vi.fn();
  const listeners = new Map<string, (event: Event) => void>();
  const add = vi.spyOn(window, "addEventListener").mockImplementation((type, listener) => {
    listeners.set(type, listener as (event: Event) => void);
  });
  stops.push(watchOpenTabs(onLastLeft));
  add.mockRestore();
  return { onLastLeft, leave: () => listeners.get("pagehide")?.(new Event("pagehide")) };
}

/** All listeners have received the messages so far. */
async function everyoneHeard(): Promise<void> {
  const [speaker, listener] = [new BroadcastChannel("test.order"), new BroadcastChannel("test.order")];
  for (let turn = 0; turn < 3; turn += 1) {
    await new Promise((resolve) => {
      listener.onmessage = resolve;
      speaker.postMessage(turn);
    });
  }
  speaker.close();
  listener.close();
}

afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

describe("the open tabs of a browser", () => {
  it("report that the last tab was closed when the only one closes", async () => {
    const tab = openTab();
    await everyoneHeard();
    tab.leave();
    expect(tab.onLastLeft).toHaveBeenCalledOnce();
  });

  it("report it for the second of two tabs, not for the first", async () => {
    const first = openTab();
    const second = openTab();
    await everyoneHeard();
    first.leave();
    expect(first.onLastLeft).not.toHaveBeenCalled();
    await everyoneHeard();
    second.leave();
    expect(second.onLastLeft).toHaveBeenCalledOnce();
  });
});
