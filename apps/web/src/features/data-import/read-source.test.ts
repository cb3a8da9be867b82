import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeText } from "./decode-text.ts";
import { readCsv } from "./read-csv.ts";
import { readJson } from "./read-json.ts";
import { readSource } from "./read-source.ts";

const utf16 = (text: string, mark: boolean, bigEndian: boolean) => {
  const units = [...(mark ? "\ufeff" : ""), ...text].join("");
  const bytes = new Uint8Array(units.length * 2);
  const view = new DataView(bytes.buffer);
  for (let n = 0; n < units.length; n += 1) view.setUint16(n * 2, units.charCodeAt(n), !bigEndian);
  return bytes;
};

describe("the text of a file", () => {
  const text = "Nombre;Correo\r\nMaría Ñandú;maria@example.com\r\n";
  it.each([
    ["UTF-8", new TextEncoder().encode(text), "utf-8"],
    ["UTF-8 with its mark", new TextEncoder().encode(`\ufeff${text}`), "utf-8"],
    ["UTF-16 LE", utf16(text, true, false), "utf-16le"],
    ["UTF-16 BE", utf16(text, true, true), "utf-16be"],
    ["UTF-16 without a mark", utf16(text, false, false), "utf-16le"],
    ["Windows-1252", Uint8Array.from([...text].map((sign) => sign.charCodeAt(0))), "windows-1252"],
  ])("is read from %s", (_name, bytes, encoding) => {
    expect(decodeText(bytes)).toEqual({ text, encoding });
  });

  it("comes back from any encoding that can hold it", () => {
    const words = fc.string({ unit: "grapheme", minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(words, fc.boolean(), (typed, bigEndian) => {
        const wanted = typed.toWellFormed().replace(/^\ufeff+/, "");
        expect(decodeText(new TextEncoder().encode(`\ufeff${wanted}`)).text).toBe(wanted);
        expect(decodeText(utf16(wanted, true, bigEndian)).text).toBe(wanted);
      }),
    );
  });
});

describe("CSV", () => {
  it.each([
    ["commas", "Name,Email\nAna,a@example.com", ","],
    ["semicolons", "Name;Email\nPaz, Ana;a@example.com", ";"],
    ["tabs", "Name\tEmail\nAna\ta@example.com", "\t"],
    ["a sep line", "sep=;\r\nName;Email\r\nAna;a@example.com\r\n", ";"],
    ["old Mac line ends", "Name,Email\rAna,a@example.com\r", ","],
    ["mixed line ends", "Name,Email\r\nAna,a@example.com\nBeto,b@example.com\r\n", ","],
  ])("is read with %s", (_name, text, delimiter) => {
    const table = readCsv(text);
    expect(table).toMatchObject({ columns: ["Name", "Email"], delimiter });
    expect(table?.rows[0]?.[1]).toBe("a@example.com");
  });

  it("keeps quoted commas, quotes and line breaks in their cell, and phones as text", () => {
    const text = 'Name,Notes,Phone\r\n"Paz, ""Ana""","two\r\nlines",00123\r\n\r\n,,\r\n';
    expect(readCsv(text)?.rows).toEqual([['Paz, "Ana"', "two\nlines", "00123"]]);
  });

  it("names columns without a name or with another's, and drops an empty margin", () => {
    expect(readCsv("Phone,,Phone, ,\n1,2,3,,\n")?.columns).toEqual(["Phone", "Column 2", "Phone (2)"]);
  });

  it("looks past a title above the header, and numbers the columns of a file without one", () => {
    expect(readCsv("Contacts of June\n\nName,Email\nAna,a@example.com\n")).toMatchObject({
      columns: ["Name", "Email"],
      rows: [["Ana", "a@example.com"]],
    });
    expect(readCsv("Ana,a@example.com\nBeto,b@example.com\n")).toMatchObject({
      columns: ["Column 1", "Column 2"],
      rows: [
        ["Ana", "a@example.com"],
        ["Beto", "b@example.com"],
      ],
    });
    expect(readCsv("Foo,Bar\n1,2\n")?.columns).toEqual(["Foo", "Bar"]);
  });

  it("lets a quote that is never closed swallow no row", () => {
    const text = 'Name,Size,Email\nAna,"17,a@example.com\nBeto,"1, 2",b@example.com\nCai,3,c@example.com\n';
    expect(readCsv(text)).toMatchObject({
      strayQuotes: 1,
      rows: [
        ["Ana", "17", "a@example.com"],
        ["Beto", "1, 2", "b@example.com"],
        ["Cai", "3", "c@example.com"],
      ],
    });
    expect(readCsv('Name,Email\nAna,"a@example.com\nBeto,b@example.com')?.rows).toHaveLength(2);
  });

  it.each(["", "\n\n", "Name,Email", "Name,Email\r\n,\r\n", "\ufeff"])("%j has no rows", (text) => {
    expect(readCsv(text)).toBeNull();
    expect(readSource(text, "csv")).toEqual({ fault: "no-rows" });
  });

  it("comes back as it was written", () => {
    const cell = fc.string({ unit: "grapheme" }).map((text) => text.replace(/[\r\ufeff]/g, "").trim());
    const cells = fc.array(cell, { minLength: 3, maxLength: 3 });
    const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
    fc.assert(
      fc.property(
        fc.array(cells, { minLength: 1 }),
        fc.constantFrom(",", ";", "\t"),
        fc.constantFrom("\n", "\r\n"),
        (rows, delimiter, end) => {
          const filled = rows.map((row, n) => [`row ${n}`, ...row]);
          const text = [["A", "B", "C", "D"], ...filled]
            .map((row) => row.map(quote).join(delimiter))
            .join(end);
          expect(readCsv(text)?.rows).toEqual(filled);
        },
      ),
    );
  });

  it("is read or refused, whatever it holds", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('"', ",", ";", "\n", "\r", "a", "é", " ") }), (text) => {
        const table = readCsv(text);
        if (table) expect(new Set(table.columns).size).toBe(table.columns.length);
      }),
    );
  });
});

describe("JSON", () => {
  it.each([
    ['[{"name":"Ana"}]', 1],
    ['{"name":"Ana","email":"a@example.com"}', 1],
    ['{"contacts":[{"name":"Ana"},{"name":"Beto"}]}', 2],
    ['{"name":"Ana"}\n{"name":"Beto"}\n', 2],
    ['\ufeff[{"name":"Ana"}]', 1],
  ])("%s holds %d", (text, count) => {
    expect(readJson(text)).toHaveLength(count);
  });

  it.each(["{", "name,email", "7", '"text"', "null", ""])("%j is none", (text) => {
    expect(readSource(text, "json")).toEqual({ fault: "invalid-json" });
  });

  it("refuses an empty list, a workbook and what is over 10 MB", () => {
    expect(readSource("[]", "json")).toEqual({ fault: "no-leads" });
    expect(readSource(new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]), "csv")).toEqual({ fault: "not-text" });
    expect(readSource("x".repeat(10 * 1024 * 1024 + 1), "csv")).toEqual({ fault: "too-large" });
  });
});
