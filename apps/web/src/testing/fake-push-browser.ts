import { vi } from "vitest";

interface FakeWorker {
  scriptURL: string;
  postMessage: ReturnType<typeof vi.fn>;
}

/** Simulates a browser with service workers and push, which jsdom does not have; `leave` removes it. */
export function fakePushBrowser() {
  const key = Uint8Array.from({ length: 65 }, (_, index) => (index === 0 ? 4 : index));
  const publicKey = btoa(String.fromCharCode(...key))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
  const meta = document.createElement("meta");
  Object.assign(meta, { name: "portal-worker", content: "on" });
  document.head.append(meta);

  let isSubscribed = false;
  const subscription = {
    options: { applicationServerKey: key.buffer },
    toJSON: () => ({
      endpoint: "https://fcm.googleapis.com/abc",
      keys: { p256dh: "BPoint", auth: "secret" },
    }),
    unsubscribe: vi.fn(async () => {
      isSubscribed = false;
      return true;
    }),
  };
  const registration = {
    active: null as FakeWorker | null,
    waiting: null as FakeWorker | null,
    installing: null,
    showNotification: vi.fn(async () => undefined),
    pushManager: {
      getSubscription: async () => (isSubscribed ? subscription : null),
      subscribe: vi.fn(async () => {
        isSubscribed = true;
        return subscription;
      }),
    },
    unregister: vi.fn(async () => true),
  };
  const registrations: object[] = [];
  const register = vi.fn(async () => registration);
  const container = Object.assign(new EventTarget(), {
    register,
    startMessages: () => undefined,
    getRegistration: async () => registration,
    getRegistrations: async () => registrations,
  });
  const notification = {
    permission: "granted" as NotificationPermission,
    requestPermission: vi.fn(async () => notification.permission),
  };
  Object.defineProperty(navigator, "serviceWorker", { value: container, configurable: true });
  vi.stubGlobal("isSecureContext", true);
  vi.stubGlobal("PushManager", class {});
  vi.stubGlobal("Notification", notification);

  return {
    publicKey,
    meta,
    register,
    registration,
    notification,
    subscribe: () => {
      isSubscribed = true;
    },
    isSubscribed: () => isSubscribed,
    addRegistration(scriptURL: string) {
      const added = {
        active: { scriptURL },
        waiting: null,
        installing: null,
        unregister: vi.fn(async () => true),
      };
      registrations.push(added);
      return added;
    },
    /** Installs a new version of the worker, which waits. */
    newVersion(): FakeWorker {
      registration.waiting = { scriptURL: "", postMessage: vi.fn() };
      return registration.waiting;
    },
    /** Sends a message from the worker to the page. */
    send(data: unknown, answer: (said: unknown) => void): void {
      container.dispatchEvent(
        Object.assign(new Event("message"), { data, ports: [{ postMessage: answer }] }),
      );
    },
    leave(): void {
      meta.remove();
      Reflect.deleteProperty(navigator, "serviceWorker");
      vi.unstubAllGlobals();
    },
  };
}

export type FakeBrowser = ReturnType<typeof fakePushBrowser>;
