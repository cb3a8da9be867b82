import fc from "fast-check";
import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";
import { decodeText } from "./decode-text.ts";
import { encodingOptions } from "./encoding-values.ts";
import { readCsv } from "./read-csv.ts";
import { readJson, readSource } from "./read-source.ts";
import { importBody } from "./write-body.ts";

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
  ])("is decoded from %s", (_name, bytes, encoding) => {
    expect(decodeText(bytes)).toEqual({ text, encoding, hasBroken: false });
  });

  it("stays UTF-8 with a few broken bytes, and the rows with them are listed", () => {
    const bytes = new TextEncoder().encode(
      "Nombre,Correo\nMaría,m@example.com\nJos#,j@example.com\nIñigo,i@example.com\n",
    );
    bytes[bytes.indexOf(0x23)] = 0xe9;
    expect(readSource(bytes, "csv")).toMatchObject({
      look: { encoding: "utf-8", brokenRows: [3] },
      leads: [
        ["María", "m@example.com"],
        ["Jos\ufffd", "j@example.com"],
        ["Iñigo", "i@example.com"],
      ],
    });
    const json = new TextEncoder().encode('[{"name":"María"},{"name":"Jos#"}]');
    json[json.indexOf(0x23)] = 0xe9;
    expect(readSource(json, "json")).toMatchObject({ look: { encoding: "utf-8", brokenRows: [2] } });
  });

  it("needs no encoding question if it is ASCII or contains U+FFFD itself", () => {
    expect(readSource(new TextEncoder().encode("name,email\nAna,a@example.com"), "csv")).toMatchObject({
      look: { encoding: "utf-8", brokenRows: [] },
    });
    expect(readSource(new TextEncoder().encode("name,email\nAn\ufffd,a@example.com"), "csv")).toMatchObject({
      look: { encoding: "utf-8", brokenRows: [] },
    });
  });

  it("round-trips through every Unicode encoding", () => {
    const words = fc.string({ unit: "grapheme", minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(words, fc.boolean(), (typed, bigEndian) => {
        const wanted = typed.toWellFormed().replace(/^\ufeff+/, "");
        expect(decodeText(new TextEncoder().encode(`\ufeff${wanted}`))).toMatchObject({ text: wanted });
        expect(decodeText(utf16(wanted, true, bigEndian))).toMatchObject({ text: wanted });
      }),
    );
  });
});

describe("a file in an older encoding", () => {
  const csv =
    "Correo,Nombre,Ciudad\na@example.com,Íñigo Peña,Málaga\nb@example.com,Ana,Bogotá\nc@example.com,Begoña Núñez,\n";
  const written = (text: string, encoding: string) => new Uint8Array(iconv.encode(text, encoding));

  it.each([
    ["windows-1252", "windows-1252"],
    ["macintosh", "macintosh"],
    ["cp850", "cp850"],
  ])(
    "%s is not guessed: sample names are offered in each encoding, the likeliest first",
    async (name, encoding) => {
      const bytes = written(csv, name);
      const result = readSource(bytes, "csv");
      if (!("excerpt" in result)) throw new Error("it was guessed");
      const options = await encodingOptions(result.excerpt);
      expect(options.map((option) => option.encoding).toSorted()).toEqual([
        "cp850",
        "macintosh",
        "utf-8",
        "windows-1252",
      ]);
      expect(options[0]).toMatchObject({
        encoding,
        words: ["Íñigo Peña", "Begoña Núñez", "Málaga", "Bogotá"],
      });
      expect(readSource(bytes, "csv", options[0])).toMatchObject({
        look: { encoding, brokenRows: [] },
        leads: [["a@example.com", "Íñigo Peña", "Málaga"], expect.anything(), expect.anything()],
      });
    },
  );

  it("is sampled by its words if it is not a table, and by its first line if that holds everything", async () => {
    for (const text of ['[{"name":"Íñigo Peña"}]', "Íñigo Peña,i@example.com\rMaría,m@example.com"]) {
      const result = readSource(written(text, "macintosh"), "json");
      if (!("excerpt" in result)) throw new Error("it was guessed");
      const [likeliest] = await encodingOptions(result.excerpt);
      expect(likeliest).toMatchObject({ encoding: "macintosh" });
      expect(likeliest?.words[0]).toBe("Íñigo Peña");
    }
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
  ])("is parsed with %s", (_name, text, delimiter) => {
    const table = readCsv(text);
    expect(table).toMatchObject({ columns: ["Name", "Email"], delimiter });
    expect(table?.rows[0]?.[1]).toBe("a@example.com");
  });

  it("keeps quoted commas, quotes and line breaks in their cell, and phones as text", () => {
    const text = 'Name,Notes,Phone\r\n"Paz, ""Ana""","two\r\nlines",00123\r\n\r\n,,\r\n';
    expect(readCsv(text)?.rows).toEqual([['Paz, "Ana"', "two\nlines", "00123"]]);
  });

  it("names unnamed and duplicate columns, and drops empty margins", () => {
    expect(readCsv("Phone,,Phone, ,\n1,2,3,,\n")?.columns).toEqual(["Phone", "Column 2", "Phone (2)"]);
  });

  it("skips a title above the header, and numbers the columns of a file without one", () => {
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

  it("loses no row to an unclosed quote", () => {
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

  it("reads back exactly the cells that were written", () => {
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

  it("parses or rejects any input, with unique column names", () => {
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
  ])("%s has %d leads", (text, count) => {
    expect(readJson(text)).toHaveLength(count);
  });

  it.each(["{", "name,email", "7", '"text"', "null", ""])("%j is rejected", (text) => {
    expect(readSource(text, "json")).toEqual({ fault: "invalid-json" });
  });

  it("rejects an empty list, a workbook and a file over 10 MB", () => {
    expect(readSource("[]", "json")).toEqual({ fault: "no-leads" });
    expect(readSource(new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]), "csv")).toEqual({ fault: "not-text" });
    expect(readSource("x".repeat(10 * 1024 * 1024 + 1), "csv")).toEqual({ fault: "too-large" });
  });
});

describe("content that the database cannot store", () => {
  const options = { sourceSystem: "CSV Import", fileName: null, duplicates: "skip", mapping: {} } as const;
  const bodyOf = async (source: Uint8Array | string, format: "csv" | "json") => {
    const read = readSource(source, format);
    if (!("leads" in read)) throw new Error("it cannot be read");
    return importBody(read, options);
  };

  it.each([
    ["pasted", "Email,Notes\na@example.com,half a \ud83d\n"],
    ["in a UTF-16 file", utf16("Email,Notes\na@example.com,half a \ud83d\n", true, false)],
  ])("is sent unchanged: a lone surrogate %s", async (_name, source) => {
    const body = await bodyOf(source, "csv");
    expect(body.type).toBe("application/json");
    expect(JSON.parse(await body.text())).toMatchObject({ leads: [["a@example.com", "half a \ud83d"]] });
  });

  it("is sent unchanged: deeply nested lists", async () => {
    const text = `[{"email":"a@example.com","deep":${"[".repeat(20_000)}${"]".repeat(20_000)}}]`;
    expect(await (await bodyOf(text, "json")).text()).toContain(text);
  });
});
