import { act, render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { allMessages, defineMessages, messagesOf, setLanguage, useMessages } from "./i18n.ts";
import { STORAGE_KEYS } from "./storage-keys.ts";

// Every catalogue of the product registers itself here.
import.meta.glob(
  [
    "../**/*messages.ts",
    "./errors.ts",
    "../app/inbound-dock.tsx",
    "../app/kit/specimen.tsx",
    "../**/attachments-note.tsx",
    "../**/live-call-bar.tsx",
    "../**/notification-watcher.tsx",
  ],
  { eager: true },
);

const sample = defineMessages("i18n-sample", {
  plain: ["Save", "Guardar"],
  named: ["Hello {name}", "Hola {name}"],
  rows_one: ["{count} row of {list}", "{count} fila de {list}"],
  rows_other: ["{count} rows of {list}", "{count} filas de {list}"],
});

function slots(text: string): string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "").sort();
}

const entries = [...allMessages.values()].flatMap(({ namespace, pairs }) =>
  Object.entries(pairs).map(([key, [en, es]]) => ({ id: `${namespace}.${key}`, key, namespace, en, es })),
);

describe("the message catalogs", () => {
  it("are found by the test", () => {
    expect(allMessages.has("auth")).toBe(true);
    expect(entries.length).toBeGreaterThan(100);
  });

  it("have a text in both languages for every key", () => {
    expect(entries.filter(({ en, es }) => en.trim() === "" || es.trim() === "").map(({ id }) => id)).toEqual(
      [],
    );
  });

  it("use the same placeholders in both languages", () => {
    const different = entries.filter(({ en, es }) => slots(en).join() !== slots(es).join());
    expect(different.map(({ id }) => id)).toEqual([]);
  });

  it("have both forms of every plural", () => {
    const keys = new Set(entries.map(({ id }) => id));
    const halves = [...keys].filter(
      (id) =>
        (id.endsWith("_one") && !keys.has(id.replace(/_one$/, "_other"))) ||
        (id.endsWith("_other") && !keys.has(id.replace(/_other$/, "_one"))),
    );
    expect(halves).toEqual([]);
  });

  it("use the words of docs/glossary.md: US English, plain words", () => {
    const refused =
      /\b(organis\w+|recognis\w+|diall(ed|ing)|cancell(ed|ing)|colour\w*|behaviour\w*|favour\w*|centre|e-mails?|mend(s|ed)?|whom|in spite of|set right|loaded anew|kept in step)\b/i;
    const refusedInSpanish = /llamantes?\b|los tenga quien|¿Cómo fue con/i;
    const found = entries.filter(({ en, es }) => refused.test(en) || refusedInSpanish.test(es));
    expect(found.map(({ id, en, es }) => `${id}: ${en} | ${es}`)).toEqual([]);
  });

  it("use prospecto, never lead, in Spanish", () => {
    const english = entries.filter(({ es }) => /\bleads?\b(?!:)/i.test(es.replaceAll("Lead Desk", "")));
    expect(english.map(({ id, es }) => `${id}: ${es}`)).toEqual([]);
  });

  it("address the reader as tú in Spanish", () => {
    const formal = entries.filter(
      ({ id, es }) =>
        // Texts recorded in Spanish stay as recorded, except for the glossary's words.
        id !== "lead-dialogs.nameInvalidText" &&
        /\b(usted|ustedes|su cuenta|ingrese|seleccione|presione|haga clic|intente|espere|elija)\b/i.test(es),
    );
    expect(formal.map(({ id, es }) => `${id}: ${es}`)).toEqual([]);
  });

  it("use the glossary's one word for each thing", () => {
    const others =
      /\b(?:asesor|vendedor|representante|petici[oó]n|cabeceras?|borr(?:a|ar|e|ó)|limpiar|ajustes|fuentes?|tiempo hablado|tiempo medio|int[eé]ntalo|a[ñn]ad\w+|marca 1|enter|client secret|workflow)\b/iu;
    const found = entries.filter(({ namespace, es }) => namespace !== "i18n-sample" && others.test(es));
    expect(found.map(({ id, es }) => `${id}: ${es}`)).toEqual([]);
  });
});

describe("messages", () => {
  it("fill in values and choose the plural in both languages", () => {
    const t = messagesOf(sample);
    expect(t("named", { name: "Ana {x}" })).toBe("Hello Ana {x}");
    expect(t("rows", { count: 1, list: "A" })).toBe("1 row of A");
    setLanguage("es");
    const es = messagesOf(sample);
    expect(es("rows", { count: 0, list: "A" })).toBe("0 filas de A");
    expect(es("rows", { count: 1_000_000, list: "A" })).toBe("1,000,000 filas de A");
  });

  it("change on screen, in the document and in storage when the language changes", () => {
    function Probe() {
      return <p>{useMessages(sample)("plain")}</p>;
    }
    render(<Probe />);
    expect(screen.getByText("Save")).toBeDefined();
    act(() => setLanguage("es"));
    expect(screen.getByText("Guardar")).toBeDefined();
    expect(document.documentElement.lang).toBe("es");
    expect(localStorage.getItem(STORAGE_KEYS.language)).toBe("es");
  });
});
