/** What the scripts of the phones page share. */

export const byId = (id) => document.getElementById(id);
/** Builds an element; text only ever goes in as text. */
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

/** A button press that comes too late (the other side hung up) is said, not thrown. */
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
