import { readFileSync } from "node:fs";
import { expectAccessible } from "./axe.ts";
import { expect, expectNoSidewaysScroll, test } from "./fixtures.ts";

test.use({ spec: "imports" });

/** A file as written by an older Spanish program: semicolons, Windows-1252, line breaks in cells, and one invalid row. */
function spanishFile(rows: number): Buffer {
  const lines = ["Nombre;Apellidos;Correo electrónico;Teléfono móvil;Notas;Ref"];
  for (let n = 0; n < rows; n += 1)
    lines.push(
      `josé;NÚÑEZ ${n};jose.${n}@example.com;(305) 555-01${String(n % 100).padStart(2, "0")};"una;\r\n""dos""";R-${n}`,
    );
  lines.push("Sin;Datos;no es correo;;=1+1;");
  return Buffer.from(lines.join("\r\n"), "latin1");
}

test("a file is previewed, corrected and imported, and failed rows can be downloaded", async ({
  page,
  portal,
  signIn,
}) => {
  await signIn("ana", "/integrations?tab=import");
  const submit = page.getByRole("button", { name: "Import CSV" });
  await expect(submit).toBeDisabled();
  const buffer = spanishFile(2_500);
  await page
    .getByLabel("CSV file")
    .last()
    .setInputFiles({ name: "clientes.csv", mimeType: "text/csv", buffer });
  const found = page.getByRole("region", { name: "What was found" });
  const question = page.getByRole("group", { name: "How do these names read right?" });
  await expect(question.getByRole("radio", { checked: true })).toHaveAccessibleName(
    /^josé · NÚÑEZ 0 .*Windows-1252$/,
  );
  await page.getByRole("button", { name: "These names are right" }).click();
  await expect(found).toContainText("2,501 rows");
  await expect(found).toContainText("Windows-1252");
  await found.getByRole("combobox", { name: "Field for Ref" }).click();
  await page.getByRole("option", { name: "Source" }).click();
  await expectAccessible(page);

  await submit.click();
  const result = page.getByRole("region", { name: "Result" });
  await expect(result).toContainText("Imported2,500");
  await expect(result).toContainText("Row 2502: Invalid email address: no es correo");
  const download = page.waitForEvent("download");
  await result.getByRole("link", { name: "Download the rows that failed" }).click();
  expect(readFileSync(await (await download).path(), "utf8")).toContain("no es correo,,'=1+1,");
  const [lead] = await portal.query(
    `select l.name, l.notes, l.lead_source, l.phone_e164, u.email as owner from leads l join users u on u.id = l.assigned_to
      where l.email = 'jose.7@example.com'`,
  );
  expect(lead).toEqual({
    name: "José Núñez 7",
    notes: 'una;\n"dos"',
    lead_source: "R-7",
    phone_e164: "+13055550107",
    owner: "ana@portal.test",
  });

  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole("tab", { name: "JSON" }).click();
  await page.getByLabel("Or paste JSON").fill('{"name":"José Núñez","email":"JOSE.7@example.com"}');
  await page.getByRole("button", { name: "Import JSON" }).click();
  await expect(page.getByRole("region", { name: "Result" })).toContainText("Skipped1");
  await expect(page.getByRole("listitem").filter({ hasText: "clientes.csv" })).toContainText(
    "2,500 imported",
  );
  await expectNoSidewaysScroll(page);
});
