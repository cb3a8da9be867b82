const STYLE = `body{font:16px/1.5 system-ui,sans-serif;background:#f0f4f9;color:#1f1f1f;margin:0;display:grid;min-height:100vh;place-items:center}
main{background:#fff;border-radius:16px;padding:32px;width:min(420px,calc(100vw - 96px));box-shadow:0 1px 4px #0002}
h1{font-size:22px;font-weight:500;margin:0 0 8px}label{display:block;margin:12px 0}input[type=email]{width:100%;box-sizing:border-box;font:inherit;padding:8px;border:1px solid #747775;border-radius:6px}
small{color:#575b5f}div{display:flex;gap:12px;justify-content:flex-end;margin-top:24px}button{font:inherit;padding:8px 20px;border-radius:20px;border:1px solid #747775;background:#fff;color:#0b57d0;cursor:pointer}button[value=allow]{background:#0b57d0;border-color:#0b57d0;color:#fff}`;

/** A page of a simulated vendor. */
export function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><link rel="icon" href="data:,"><style>${STYLE}</style></head><body><main>${body}</main></body></html>`;
}

/** Escapes a text for HTML. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
