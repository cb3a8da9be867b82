import type { BulkChange } from "@portal/contract/entities/bulk-change";
import {
  createBulkChange,
  getBulkChange,
  listBulkChanges,
  previewBulkChange,
  undoBulkChange,
} from "@portal/contract/routes/bulk-changes";
import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { setLanguage } from "../../../lib/i18n.ts";
import { buildLead } from "../../../testing/lead-builders.ts";
import { serveLeadsPage } from "../../../testing/leads-server.ts";
import { renderPortal } from "../../../testing/render-portal.tsx";
import { errorReply, replyTo, server } from "../../../testing/server.ts";
import { shownChange } from "./bulk-store.ts";

afterEach(() => shownChange.set(null));

const people = [
  { id: 1, name: "Ana Ruiz" },
  { id: 2, name: "Beto Paz" },
  { id: 3, name: "Caro Gil" },
];
const changeOf = (rest: Partial<BulkChange>): BulkChange => ({
  id: 5,
  kind: "status",
  value: "interested",
  userName: "Luis Mora",
  at: new Date().toISOString(),
  state: "done",
  waitsMs: 3_600_000,
  mayUndo: true,
  undoneAt: null,
  groups: [
    { state: "changed", reason: null, count: 2, leads: people.slice(0, 2) },
    { state: "left_out", reason: "not_yours", count: 1, leads: people.slice(2) },
  ],
  ...rest,
});

async function choose(user: ReturnType<typeof renderPortal>["user"], item: string) {
  await user.click(await screen.findByRole("button", { name: "Select leads" }));
  const bar = within(await screen.findByRole("region", { name: "Selected leads" }));
  await user.click(bar.getByRole("button", { name: "Select all shown" }));
  await user.click(bar.getByRole("button", { name: "Change" }));
  await user.click(await screen.findByRole("menuitem", { name: item }));
}

it("shows who is left out, changes the others, undoes it, and names the leads that were not undone", async () => {
  serveLeadsPage({ leads: people.map((each) => buildLead(each)) });
  const sent: unknown[] = [];
  const undone = changeOf({
    state: "undone",
    waitsMs: 0,
    mayUndo: false,
    groups: [
      { state: "undone", reason: null, count: 1, leads: people.slice(0, 1) },
      { state: "spared", reason: "touched", count: 1, leads: people.slice(1, 2) },
    ],
  });
  let refusals = 1;
  let kept = changeOf({});
  server.use(
    replyTo(previewBulkChange, {
      changed: 2,
      leftOut: [{ reason: "not_yours", count: 1, leads: people.slice(2) }],
      segments: null,
    }),
    replyTo(createBulkChange, ({ body }) => {
      sent.push(body);
      refusals -= 1;
      return refusals >= 0 ? errorReply("unavailable", "The database does not answer") : changeOf({});
    }),
    replyTo(getBulkChange, () => kept),
    replyTo(undoBulkChange, () => {
      kept = undone;
      return kept;
    }),
    replyTo(listBulkChanges, [undone]),
  );
  const { user } = renderPortal("/");
  await choose(user, "Change status…");
  const dialog = within(await screen.findByRole("dialog", { name: "Change Status" }));
  await user.click(dialog.getByRole("button", { name: "Change" }));
  expect(dialog.getByText("Choose what to change first.")).toBeTruthy();
  await user.click(dialog.getByRole("combobox", { name: "Status" }));
  await user.click(await screen.findByRole("option", { name: "Interested" }));
  expect(await dialog.findByText("2 leads will change.")).toBeTruthy();
  expect(dialog.getByRole("region", { name: "Left out" }).textContent).toContain(
    "Other consultants' leads (1)Caro Gil",
  );
  await user.click(dialog.getByRole("button", { name: "Change" }));
  // A failure changes nothing, and retrying sends the same bulk change.
  expect((await dialog.findByText(/Nothing was changed/)).getAttribute("role")).toBe("alert");
  await user.click(dialog.getByRole("button", { name: "Change" }));
  const bar = within(await screen.findByRole("region", { name: "Last change of many leads" }));
  expect(bar.getByText("2 leads set to Interested.")).toBeTruthy();
  expect(bar.getByText("1 left out. Nothing goes out for 10 seconds.")).toBeTruthy();
  expect(sent[1]).toMatchObject({ edit: { kind: "status", status: "interested" }, leadIds: [1, 2, 3] });
  expect(sent[0]).toEqual(sent[1]);
  expect(screen.queryByRole("region", { name: "Selected leads" })).toBeNull();
  // The result bar has the focus, Undo is the next tab stop, and a second Enter undoes nothing.
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole("region", { name: "Last change of many leads" })),
  );
  await user.click(bar.getByRole("button", { name: "Undo" }));
  expect(await bar.findByText("Undone: 1 lead is as it was. 1 kept as it is now: Beto Paz.")).toBeTruthy();
  expect(bar.queryByRole("button", { name: "Undo" })).toBeNull();

  await user.click(bar.getByRole("button", { name: "Changes made together" }));
  const changes = within(await screen.findByRole("dialog", { name: "Changes made together" }));
  expect((await changes.findByText("Changed by somebody since (1)")).parentElement?.textContent).toContain(
    "Beto Paz",
  );
  await user.keyboard("{Escape}");
  await user.click(bar.getByRole("button", { name: "Dismiss" }));
  await waitFor(() => expect(screen.queryByRole("region", { name: "Last change of many leads" })).toBeNull());
});

it("counts segments, warns that sent texts cannot be recalled, and stops the remaining ones", async () => {
  setLanguage("es");
  serveLeadsPage({ leads: people.map((each) => buildLead(each)) });
  const texts = (state: BulkChange["state"], counts: { sent: number; waiting: number; undone?: number }) =>
    changeOf({
      kind: "text",
      value: "¿Hablamos?",
      state,
      waitsMs: 0,
      mayUndo: state === "open",
      groups: (["sent", "waiting", "undone"] as const).flatMap((each) =>
        counts[each] ? [{ state: each, reason: null, count: counts[each], leads: [] }] : [],
      ),
    });
  let kept = texts("open", { sent: 1, waiting: 2 });
  server.use(
    replyTo(previewBulkChange, { changed: 3, leftOut: [], segments: 1 }),
    replyTo(createBulkChange, texts("open", { sent: 1, waiting: 2 })),
    replyTo(getBulkChange, () => kept),
    replyTo(undoBulkChange, () => {
      kept = texts("undone", { sent: 1, waiting: 0, undone: 2 });
      return kept;
    }),
  );
  const { user } = renderPortal("/");
  await user.click(await screen.findByRole("button", { name: "Seleccionar prospectos" }));
  await user.click(await screen.findByRole("button", { name: "Elegir los visibles" }));
  await user.click(screen.getByRole("button", { name: "Cambiar" }));
  await user.click(await screen.findByRole("menuitem", { name: "Enviar un mensaje…" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Enviar mensaje a prospectos" }));
  expect(await dialog.findByText("3 prospectos reciben el mensaje.")).toBeTruthy();
  await user.type(dialog.getByRole("textbox", { name: "Mensaje" }), "¿Hablamos mañana?");
  expect(dialog.getByText(/1 segmento por mensaje, 3 segmentos en total/)).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Enviar" }));
  const bar = within(await screen.findByRole("region", { name: "Último cambio de muchos prospectos" }));
  expect(bar.getByText("1 entregado al proveedor; ya no se puede retirar. Faltan 2.")).toBeTruthy();
  await user.click(bar.getByRole("button", { name: "Detener el resto" }));
  expect(
    await bar.findByText("2 mensajes no se enviaron. 1 entregado al proveedor; ya no se puede retirar."),
  ).toBeTruthy();
});
