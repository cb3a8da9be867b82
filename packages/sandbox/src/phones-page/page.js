/** Shared functions of the phones page's scripts. */

export const byId = (id) => document.getElementById(id);
/** Creates an element; texts are only ever inserted as text, never as HTML. */
export function element(tag, properties = {}, ...children) {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
}

export async function send(method, path, body) {
  const response = await fetch(`/control${path}`, {
    method,
    headers: body ? { "content-type": "application/json" } : {},
    body: body ? JSON.stringify(body) : undefined,
  });
  if (response.ok) return;
  const { message } = await response.json().catch(() => ({}));
  throw new Error(message ?? `The sandbox answered ${response.status}`);
}

/** Sends the request of a button; an error, for example because the other side has hung up, is shown rather than thrown. */
export function act(method, path, body) {
  send(method, path, body).catch((error) => announce(error.message));
}

export function announce(text) {
  byId("announcement").textContent = text;
}

export function formatted(number) {
  const parts = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(number);
  return parts ? `+1 ${parts[1]} ${parts[2]} ${parts[3]}` : number;
}
