/** The phones page: renders the sandbox's event stream and sends the user's actions. */

import { renderThreads } from "./messages.js";
import { act, announce, byId, element, formatted, send } from "./page.js";

const BEHAVIOURS = {
  answers: "answers and talks",
  busy: "is busy",
  "no-answer": "does not answer",
  voicemail: "is voicemail",
  invalid: "does not exist",
  "opts-out": "opts out",
};
const ROLES = { rep: "Consultant", lead: "Lead", caller: "Caller" };
const UNKNOWN = { rep: "Consultant's phone", lead: "Lead's phone", caller: "Someone" };
const KEYS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "*", "0", "#"];

const drawn = new Map();

function stateOf(leg) {
  if (leg.status === "queued") return "Dialling";
  if (leg.status === "ringing") return leg.role === "caller" ? "Calls, hears it ring" : "Ringing";
  const line = isLine(leg) ? "Open line: " : "";
  if (leg.activity === "bridged") return line ? "Open line: talks with a lead" : "Talking";
  if (leg.activity === "gathering") return `${line}${line ? "waits for a key" : "Asked for a key"}`;
  if (leg.activity === "dialing") return `${line}${line ? "hears a lead ring" : "Hears it ring"}`;
  if (leg.activity === "recording") return "Speaks to the voicemail";
  return "Listening";
}

/** A consultant's call that continues after a lead's: the star ends the lead's part, or one has already ended. */
function isLine(leg) {
  return leg.role === "rep" && leg.parentSid === null && (leg.keys === "star" || leg.dials > 0);
}

/** The effect of keys on a phone now. */
function keysHint(leg) {
  if (leg.keys === "gather") return "A key is heard now.";
  if (leg.keys === "star") return "* ends the lead's part and keeps the line; other keys are not heard.";
  return "Keys are not heard now.";
}

function nameOf(leg) {
  return leg.label ?? UNKNOWN[leg.role];
}

function callButton(text, className, leg, action) {
  const button = element("button", { type: "button", className, textContent: text });
  button.setAttribute("aria-label", `${text}: ${nameOf(leg)} ${formatted(leg.number)}`);
  button.addEventListener("click", () => act("POST", `/calls/${leg.sid}/${action}`));
  return button;
}

function keypad(leg) {
  const pad = element("div", { className: "keypad", role: "group", ariaLabel: `Keypad of ${nameOf(leg)}` });
  for (const key of KEYS) {
    const button = element("button", { type: "button", textContent: key });
    button.addEventListener("click", () => act("POST", `/calls/${leg.sid}/press`, { digits: key }));
    pad.append(button);
  }
  return pad;
}

/** One utterance that was spoken, played or interrupted. */
function utterance({ kind, text, language, whole }, index, all) {
  const words = kind === "say" ? `“${text}”` : `♪ ${text}`;
  const cut = !whole && index < all.length - 1 ? " (cut short)" : "";
  const line = element("p", { textContent: `${words}${cut}` });
  if (language) line.lang = language;
  return line;
}

function card(leg) {
  const calls = leg.role === "caller" && leg.status === "ringing";
  const ringing = leg.status === "ringing" && !calls;
  const talking = leg.status === "in-progress";
  const state = stateOf(leg);
  const kind = ringing ? "ringing" : talking ? "talking" : "";
  const node = element(
    "article",
    { className: `card ${kind}` },
    element(
      "div",
      { className: "card-head" },
      element("h3", { textContent: nameOf(leg) }),
      element("span", { className: `pill ${talking ? "good" : ""}`, textContent: state }),
    ),
    element("p", { className: "number", textContent: formatted(leg.number) }),
    element("p", {
      className: "muted",
      textContent: leg.actsAlone
        ? `${ROLES[leg.role]}. ${leg.role === "caller" ? "Acts by itself." : `Acts by itself: ${BEHAVIOURS[leg.behaviour]}.`} You may step in.`
        : `${ROLES[leg.role]}. Waits for you.`,
    }),
  );
  if (leg.transcript.length > 0) {
    const earlier =
      leg.heardBefore > 0
        ? [element("p", { className: "muted", textContent: `${leg.heardBefore} earlier` })]
        : [];
    const heard = element(
      "div",
      { className: "heard", role: "log", tabIndex: 0, ariaLabel: `What ${nameOf(leg)} heard` },
      ...earlier,
      ...leg.transcript.map(utterance),
    );
    node.append(heard);
    requestAnimationFrame(() => heard.scrollTo(0, heard.scrollHeight));
  }
  if (leg.pressed) node.append(element("p", { className: "muted", textContent: `Pressed: ${leg.pressed}` }));
  const actions = element("div", { className: "actions" });
  if (ringing) actions.append(callButton("Answer", "answer", leg, "answer"));
  if (ringing || talking || calls)
    actions.append(callButton(ringing ? "Decline" : "Hang up", "hangup", leg, "hangup"));
  node.append(actions);
  if (isLine(leg)) {
    node.append(
      element("p", { className: "muted", textContent: `Leads dialled on this line: ${leg.dials}` }),
    );
  }
  if (talking) {
    node.append(keypad(leg));
    node.append(element("p", { className: "muted", textContent: keysHint(leg) }));
  }
  return node;
}

/** Renders a list item again only if its data has changed, and keeps the focus. */
function draw(key, data, build) {
  const text = JSON.stringify(data);
  const known = drawn.get(key);
  if (known?.text === text) return known.node;
  const focused = known?.node.contains(document.activeElement) ? document.activeElement : null;
  const label = focused?.getAttribute("aria-label") ?? focused?.textContent;
  const node = build(data);
  known?.node.replaceWith(node);
  drawn.set(key, { text, node });
  if (label) {
    const buttons = [...node.querySelectorAll("button")];
    const same = buttons.find((one) => (one.getAttribute("aria-label") ?? one.textContent) === label);
    (same ?? buttons[0])?.focus();
  }
  return node;
}

/** Makes `parent` contain exactly the items, in order, moving only those whose position changed. */
function drawList(parent, prefix, items, keyOf, build) {
  const nodes = items.map((item) => draw(`${prefix}/${keyOf(item)}`, item, build));
  for (const child of [...parent.children]) if (!nodes.includes(child)) child.remove();
  nodes.forEach((node, index) => {
    if (parent.children[index] !== node) parent.insertBefore(node, parent.children[index] ?? null);
  });
  const kept = new Set(items.map((item) => `${prefix}/${keyOf(item)}`));
  for (const key of drawn.keys()) if (key.startsWith(`${prefix}/`) && !kept.has(key)) drawn.delete(key);
}

function phoneItem(phone) {
  const manual = phone.mode === "manual";
  const name = phone.label ?? "Watched phone";
  const text = manual ? "Waits for you" : `Acts by itself: ${BEHAVIOURS[phone.behaviour]}`;
  const toggle = element("button", {
    type: "button",
    textContent: manual ? "Let it act" : "Answer by hand",
    ariaLabel: `${manual ? "Let it act" : "Answer by hand"}: ${name} ${formatted(phone.number)}`,
  });
  toggle.addEventListener("click", () =>
    act("POST", "/phones", { number: phone.number, mode: manual ? "auto" : "manual" }),
  );
  return element(
    "li",
    {},
    element(
      "div",
      {},
      element("p", {}, element("b", { textContent: name }), ` ${formatted(phone.number)}`),
      element("p", { className: "muted", textContent: text }),
    ),
    toggle,
  );
}

function recentItem(leg) {
  const seconds = leg.durationSeconds === null ? "" : `${leg.durationSeconds} s`;
  const details = [
    leg.answeredBy?.startsWith("machine") ? "voicemail" : "",
    leg.optedOut ? "said no" : "",
    leg.pressed ? `pressed ${leg.pressed}` : "",
  ].filter(Boolean);
  const item = element(
    "li",
    {},
    element(
      "p",
      { className: "line" },
      element("b", { textContent: nameOf(leg) }),
      element("span", { textContent: formatted(leg.number) }),
      element("span", { textContent: [leg.status, seconds, ...details].filter(Boolean).join(" · ") }),
      element("time", {
        className: "muted",
        dateTime: leg.endedAt ?? "",
        textContent: leg.endedAt ? new Date(leg.endedAt).toLocaleTimeString() : "",
      }),
    ),
  );
  for (const said of leg.transcript.map(utterance)) {
    said.className = "muted";
    item.append(said);
  }
  for (const text of leg.warnings) item.append(element("p", { className: "error", textContent: text }));
  return item;
}

function callGroup(group) {
  return element("div", { className: "call" }, ...group.legs.map(card));
}

let rang = new Set();

function render(desk) {
  byId("auto").checked = desk.auto;
  byId("calendar-api").checked = desk.calendarApi;
  byId("speed").textContent = String(desk.speed);
  const groups = desk.live
    .filter((leg) => leg.parentSid === null)
    .map((parent) => ({
      sid: parent.sid,
      legs: [parent, ...desk.live.filter((leg) => leg.parentSid === parent.sid)],
    }));
  drawList(byId("live"), "live", groups, (group) => group.sid, callGroup);
  drawList(byId("phones"), "phones", desk.phones, (phone) => phone.number, phoneItem);
  renderThreads(desk.threads);
  drawList(byId("recent"), "recent", desk.recent, (leg) => leg.sid, recentItem);
  byId("live-empty").hidden = groups.length > 0;
  byId("recent-empty").hidden = desk.recent.length > 0;
  const ringing = desk.live.filter((leg) => leg.status === "ringing" && leg.role !== "caller");
  const news = ringing.filter((leg) => !rang.has(leg.sid));
  rang = new Set(ringing.map((leg) => leg.sid));
  if (news.length > 0)
    announce(news.map((leg) => `${nameOf(leg)} ${formatted(leg.number)} rings`).join(". "));
}

byId("auto").addEventListener("change", (event) => {
  act("POST", "/phones/auto", { enabled: event.target.checked });
});

byId("calendar-api").addEventListener("change", (event) => {
  act("POST", "/google/api", { enabled: event.target.checked });
});

/** Submits a form; clears the fields in `cleared`, and shows an error below the form. */
function onSubmit(id, cleared, submit) {
  byId(id).addEventListener("submit", async (event) => {
    event.preventDefault();
    const form = event.target;
    const error = byId(`${id}-error`);
    error.textContent = "";
    try {
      await submit(Object.fromEntries(new FormData(form)));
      for (const name of cleared) form.elements[name].value = "";
    } catch (reason) {
      error.textContent = reason.message;
      form.elements[0].focus();
    }
  });
}

onSubmit("watch", ["number"], ({ number }) => send("POST", "/phones", { number, mode: "manual" }));
onSubmit("call-in", ["says"], ({ from, says }) => send("POST", "/inbound", { from, says }));
onSubmit("text-in", ["body"], ({ from, body }) => send("POST", "/texts", { from, body }));

const stream = new EventSource("/phones/events");
stream.addEventListener("message", (event) => render(JSON.parse(event.data)));
stream.addEventListener("open", () => {
  byId("connection").textContent = "Live";
  byId("connection").className = "pill good";
});
stream.addEventListener("error", () => {
  byId("connection").textContent = "Sandbox not reachable, trying again…";
  byId("connection").className = "pill";
});
