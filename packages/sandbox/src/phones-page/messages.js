/** SMS on the phones page: one thread for each number, with a field to reply from that phone. */

import { byId, element, formatted, send } from "./page.js";

const STATES = {
  queued: "waits",
  sending: "on its way",
  sent: "sent",
  delivered: "delivered",
  undelivered: "not delivered",
  failed: "not sent",
};
const threads = new Map();

function bubble(text) {
  const own = text.direction === "inbound";
  const details = [
    new Date(text.createdAt).toLocaleTimeString(),
    text.automatic ? "Twilio's own answer" : own ? "" : STATES[text.status],
    text.errorCode === null ? "" : `error ${text.errorCode}`,
    text.segments > 1 ? `${text.segments} segments` : "",
  ].filter(Boolean);
  const lost = text.status === "undelivered" || text.status === "failed";
  return element(
    "li",
    { className: `bubble ${own ? "own" : ""} ${lost ? "lost" : ""}` },
    element("span", { className: "visually-hidden", textContent: own ? "This phone: " : "System number: " }),
    element("p", { textContent: text.body }),
    element("p", { className: "muted", textContent: details.join(" · ") }),
  );
}

/** A thread's card is created once, so that a half-written SMS survives updates. */
function makeThread({ number, label }) {
  const name = label ?? "Unknown number";
  const list = element("ol", { className: "bubbles", tabIndex: 0, ariaLabel: `Texts of ${name}` });
  const pill = element("span", { className: "pill", textContent: "Opted out" });
  const field = element("input", {
    type: "text",
    name: "body",
    autocomplete: "off",
    maxLength: 1_600,
    required: true,
    placeholder: "Answer from this phone",
    ariaLabel: `Text from ${name} ${formatted(number)}`,
  });
  const error = element("p", { className: "error", role: "alert" });
  const form = element(
    "form",
    { className: "answer-line" },
    field,
    element("button", { type: "submit", textContent: "Send", ariaLabel: `Send the text from ${name}` }),
    error,
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    error.textContent = "";
    try {
      await send("POST", "/texts", { from: number, body: field.value });
      field.value = "";
    } catch (reason) {
      error.textContent = reason.message;
    }
    field.focus();
  });
  const node = element(
    "article",
    { className: "card thread" },
    element("div", { className: "card-head" }, element("h3", { textContent: name }), pill),
    element("p", { className: "number", textContent: formatted(number) }),
    list,
    form,
  );
  return { node, list, pill, shown: "" };
}

export function renderThreads(current) {
  const parent = byId("threads");
  const numbers = new Set(current.map(({ number }) => number));
  for (const [number, { node }] of threads) {
    if (numbers.has(number)) continue;
    node.remove();
    threads.delete(number);
  }
  current.forEach((thread, index) => {
    const known = threads.get(thread.number) ?? makeThread(thread);
    threads.set(thread.number, known);
    known.pill.hidden = !thread.optedOut;
    // A card in which somebody types keeps its position: moving it would remove the focus.
    const writes = known.node.contains(document.activeElement);
    if (parent.children[index] !== known.node && !(writes && known.node.isConnected)) {
      parent.insertBefore(known.node, parent.children[index] ?? null);
    }
    const shown = JSON.stringify(thread.texts);
    if (shown === known.shown) return;
    known.shown = shown;
    known.list.replaceChildren(...thread.texts.map(bubble));
    known.list.scrollTop = known.list.scrollHeight;
  });
  byId("threads-empty").hidden = current.length > 0;
}
