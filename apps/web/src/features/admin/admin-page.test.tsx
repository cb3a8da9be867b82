import type { ContactRefusal } from "@portal/contract/errors";
import { getUserStats, listAudit, listRefusals } from "@portal/contract/routes/admin";
import { adminSessionCheck } from "@portal/contract/routes/auth";
import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startLiveEvents } from "../../lib/events.ts";
import { createQueryClient } from "../../lib/query-client.ts";
import { buildUserStats, servePanel } from "../../testing/admin-server.ts";
import { buildUser } from "../../testing/builders.ts";
import { renderPortal } from "../../testing/render-portal.tsx";
import { replyTo, server } from "../../testing/server.ts";
import { activityOf, barToneOf } from "./components/user-cells.tsx";
import { formatSince } from "./format-spanish.ts";
import { systemStatsQuery, userStatsQuery } from "./queries.ts";

const admin = buildUser({ id: 1, name: "Carmen Ortiz", role: "admin" });
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const atWidth = (px: number) => vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(px);

beforeEach(() => {
  server.use(replyTo(adminSessionCheck, { authenticated: true, user: admin }));
});
afterEach(() => vi.unstubAllGlobals());

describe("the labels and colors of the panel", () => {
  const now = Date.parse("2026-11-20T12:00:00Z");
  const ago = (seconds: number) => new Date(now - seconds * 1_000).toISOString();

  it("change at 5 and 30 minutes, and at 80 and 60 percent", () => {
    const words = [0, 299, 300, 1_799, 1_800].map((seconds) => activityOf(ago(seconds), now));
    expect(words).toEqual(["active", "active", "recent", "recent", "inactive"]);
    expect(activityOf(null, now)).toBe("inactive");
    expect([100, 80, 79.9, 60, 59.9, 0].map(barToneOf)).toEqual([
      "green",
      "green",
      "yellow",
      "yellow",
      "red",
      "red",
    ]);
  });

  it("show the time in a state", () => {
    const since = [0, 65, 3_599, 3_840, 172_800].map((seconds) => formatSince(ago(seconds), now));
    expect(since).toEqual(["0:00", "1:05", "59:59", "1 h 04 min", "2 d"]);
    // The server's clock is ahead.
    expect(formatSince(ago(-5), now)).toBe("0:00");
  });

  it("use statistics that are refetched every 30 s and every 15 s", () => {
    expect([systemStatsQuery(), userStatsQuery()].map(({ refetchInterval }) => refetchInterval)).toEqual([
      30_000, 15_000,
    ]);
  });
});

describe("monitoring", () => {
  const people = [
    buildUserStats({
      id: 3,
      name: "Zoe",
      isOnline: true,
      lastActivity: minutesAgo(1),
      productivityScore: 83.33,
    }),
    buildUserStats({ id: 4, name: "Óscar", lastActivity: minutesAgo(12), productivityScore: 60 }),
    buildUserStats({ id: 2, name: "Ana Rivera", callsMade: 0 }),
  ];
  // Uses the elements directly, because queries by role take seconds in a table.
  const rowsOf = () => [...document.querySelectorAll("tbody tr")] as HTMLTableRowElement[];
  const rowOf = (name: string) =>
    rowsOf().find((row) => row.textContent.includes(name)) as HTMLTableRowElement;
  const namesOf = () => rowsOf().map((row) => row.cells[0]?.firstChild?.textContent);
  const cellsOf = (name: string) => [...rowOf(name).cells].slice(1).map((cell) => cell.textContent);

  it("shows the cards and every recorded column by name, and keeps order and search on each refetch", async () => {
    atWidth(1_216);
    servePanel({
      users: people,
      live: () => [{ userId: 3, state: "on_call", since: minutesAgo(2), leadName: "Inés Duarte" }],
    });
    const { user } = renderPortal("/admin", admin);
    await screen.findByRole("table", { name: "Actividad por usuario" });
    const cards = screen.getAllByRole("term").map((term) => term.parentElement?.textContent);
    expect(cards).toEqual([
      "Usuarios42 activos ahora ",
      "Prospectos procesados hoy31de 1,080 en total ",
      "Llamadas realizadas5,432salientes, desde siempre ",
      "Tasa de conversión12.3% Productividad promedio: — ",
    ]);
    const columns = [...document.querySelectorAll("thead th")].map((cell) => cell.textContent.trim());
    expect(columns).toEqual([
      ...[
        "Usuario",
        "Estado",
        "Ahora",
        "Prospectos",
        "Contactados hoy",
        "Llamadas",
        "SMS",
        "Conversiones",
        "Seguimientos",
      ],
      ...["Productividad", "Última actividad"],
    ]);
    expect(namesOf()).toEqual(["Ana Rivera", "Óscar", "Zoe"]);
    expect(cellsOf("Zoe")).toEqual([
      "ActivoEn línea",
      expect.stringMatching(/^En llamada2:0\dInés Duarte$/),
      ...["40", "3", "1,204", "12", "5", "7", "83.3%", "hace 1 min"],
    ]);
    expect(cellsOf("Óscar")[0]).toBe("RecienteDesconectado");
    expect(cellsOf("Ana").slice(-2)).toEqual(["—", "Nunca"]);
    const calls = within(rowOf("Zoe")).getByRole("link", { name: "1,204" });
    expect(calls.getAttribute("href")).toBe("/call-history?rep=3&direction=outbound");
    const tip = screen.getAllByRole("button", { name: "Qué significa: Productividad" })[0] as HTMLElement;
    tip.focus();
    expect((await screen.findByRole("tooltip")).textContent).toMatch(
      /asignados hace más de 24 horas y nunca llamados/,
    );

    // The server's order and activity change, but the rows stay in place.
    server.use(
      replyTo(
        getUserStats,
        people.toReversed().map((of) => ({ ...of, callsMade: 9_999, lastActivity: minutesAgo(40) })),
      ),
    );
    window.dispatchEvent(new Event("visibilitychange"));
    await waitFor(() => expect(cellsOf("Zoe")[4]).toBe("9,999"));
    expect(namesOf()).toEqual(["Ana Rivera", "Óscar", "Zoe"]);
    await user.type(screen.getByRole("searchbox", { name: "Buscar usuarios" }), "oscar");
    await waitFor(() => expect(window.location.search).toBe("?q=oscar"));
    expect(namesOf()).toEqual(["Óscar"]);
  });

  it("shows cards on a narrow screen, and keeps its data while the server is unreachable", async () => {
    atWidth(358);
    servePanel({ users: people });
    renderPortal("/admin?q=zoe", admin);
    const list = await screen.findByRole("list", { name: "Actividad por usuario" });
    expect(
      within(list)
        .getAllByRole("heading")
        .map(({ textContent }) => textContent),
    ).toEqual(["Zoe"]);
    expect(within(list).getByText("Contactados hoy").nextSibling?.textContent).toBe("3");
    server.use(http.get(getUserStats.path, () => HttpResponse.error()));
    window.dispatchEvent(new Event("visibilitychange"));
    expect(await screen.findByText(/No se pudo actualizar/)).toBeDefined();
    expect(within(list).getByText("En línea")).toBeDefined();
  });

  it("updates each user's state from live events", async () => {
    let state: "free" | "ringing" = "free";
    const sources: { onmessage?: (event: { data: string }) => void }[] = [];
    vi.stubGlobal(
      "EventSource",
      class {
        onmessage?: (event: { data: string }) => void;
        constructor() {
          sources.push(this);
        }
        addEventListener() {}
        close() {}
      },
    );
    atWidth(1_216);
    const live = () => [
      { userId: 3, state, since: null, leadName: null },
      { userId: 4, state: "free" as const, since: minutesAgo(9), leadName: null },
      {
        userId: 2,
        state: "free" as const,
        since: minutesAgo(9),
        leadName: null,
        availability: { state: "away" as const, until: "2026-11-24T20:30:00.000Z" },
      },
    ];
    servePanel({ users: people, live });
    const stop = startLiveEvents(createQueryClient());
    try {
      renderPortal("/admin", admin);
      expect(await screen.findByText("Libre")).toBeDefined();
      // A user who is offline is not free: both cells say so, and neither shows a duration.
      expect(cellsOf("Óscar").slice(0, 2)).toEqual(["RecienteDesconectado", "Desconectado"]);
      expect(cellsOf("Ana Rivera")[1]).toMatch(/^Ausentehasta (23|24|25) nov, /);
      state = "ringing";
      sources[0]?.onmessage?.({ data: '{"topic":"call","id":9}' });
      expect(await screen.findByText("Timbrando")).toBeDefined();
    } finally {
      stop();
    }
  });
});

describe("the audit log and the list of refused contacts", () => {
  it("are requested with the filters of the address, page by page", async () => {
    const asked: string[] = [];
    const entry = (id: number) => ({
      id,
      at: "2026-11-20T12:00:00.000Z",
      userId: null,
      userName: null,
      action: id === 2 ? "lead-assigned" : "something-new",
      subject: "lead:7",
      data: { after: "Ana" },
    });
    servePanel({ users: [buildUserStats({ id: 2 })] });
    server.use(
      http.get(listAudit.path, ({ request }) => {
        const query = new URL(request.url).searchParams;
        asked.push(query.toString());
        const isFirst = !query.has("cursor");
        return HttpResponse.json([entry(isFirst ? 2 : 1)], {
          headers: { "x-total-count": "2", ...(isFirst && { "x-next-cursor": "next" }) },
        });
      }),
    );
    const { user } = renderPortal("/admin?tab=audit&user=2&action=lead&from=2026-11-01&to=nonsense", admin);
    expect(await screen.findByText("Asignó un prospecto")).toBeDefined();
    expect(screen.getByText("Prospecto n.º 7")).toBeDefined();
    expect(screen.getByText("Después:")).toBeDefined();
    expect(screen.getByText("1 de 2")).toBeDefined();
    expect(screen.getByText("Sistema")).toBeDefined();
    await user.click(screen.getByRole("button", { name: "Cargar más" }));
    expect(await screen.findByText("something-new")).toBeDefined();
    expect(asked).toEqual(
      ["", "&cursor=next"].map((cursor) => `limit=50&action=lead&from=2026-11-01&user=2${cursor}`),
    );
    await user.click(screen.getByRole("button", { name: "Quitar filtros" }));
    await waitFor(() => expect(asked.at(-1)).toBe("limit=50"));
    expect(window.location.search).toBe("?tab=audit");
  });

  it("show which lead was not contacted, by which channel and why", async () => {
    const refusal = (id: number, reason: ContactRefusal) => ({
      id,
      at: "2026-11-20T12:00:00.000Z",
      userId: 2,
      userName: "Ana Rivera",
      leadId: 7,
      leadName: "Inés Duarte",
      channel: "text" as const,
      by: "dialer" as const,
      reason,
    });
    servePanel();
    server.use(
      replyTo(listRefusals, ({ request }) =>
        request.url.includes("reason=opted_out") ? [refusal(1, "opted_out")] : [],
      ),
    );
    renderPortal("/admin?tab=refusals&reason=opted_out", admin);
    const row = within(await screen.findByRole("list", { name: "Contactos rechazados" }));
    for (const words of ["Inés Duarte", "SMS", "Marcador", "Pidió no ser contactado"])
      expect(row.getByText(words)).toBeDefined();
  });
});
