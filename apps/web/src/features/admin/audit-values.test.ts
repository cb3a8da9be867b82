import { loggedOutcomes } from "@portal/contract/entities/call";
import { describe, expect, it } from "vitest";
import { setLanguage } from "../../lib/i18n.ts";
import { settingMessages } from "../diagnostics/setting-messages.ts";
import { factsOf, subjectLabel } from "./audit-values.ts";

const nameOf = (userId: number) => ({ 2: "Ana Rivera", 3: "Luis Vega" })[userId];
const wordsOf = (data: Record<string, unknown>) =>
  factsOf(data, nameOf).map(({ label, value }) => `${label}: ${value}`);

it("describes a sign-in by its method and browser, and shows an unknown browser as it was sent", () => {
  const userAgent =
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36";
  expect(wordsOf({ by: "password", userAgent })).toEqual([
    "Por medio de: contraseña",
    "Navegador: Chrome en Linux",
  ]);
  expect(wordsOf({ userAgent: "curl/8.1" })).toEqual(["Navegador: curl/8.1"]);
});

describe("the details of an audit entry", () => {
  it("name every field of the user's own account", () => {
    // The columns that `changeUser` of the server writes.
    const fields = [
      ...["name", "email", "image", "personalPhone", "personalPhoneE164", "theme", "language", "lists"],
      ...["autoDial", "pressOne", "callRecording", "voicemailTranscription"],
      ...["emailNotices", "smsNotices", "callNotices", "meetingNotices", "pushNames"],
    ];
    const raw = fields.filter((field) => wordsOf({ fields: [field] })[0] === `Campos: ${field}`);
    expect(raw).toEqual([]);
  });

  it.each(loggedOutcomes)("name the outcome %s", (outcome) => {
    expect(wordsOf({ outcome })).not.toEqual([`Resultado: ${outcome}`]);
  });

  it.each([
    [
      { field: "assignedTo", before: 2, after: 3, notes: "Vacaciones", takeAlong: true, meetings: 1_200 },
      [
        "Consultor: Ana Rivera → Luis Vega",
        "Notas: Vacaciones",
        "Con seguimiento y reuniones: sí",
        "Reuniones que pasaron: 1,200",
      ],
    ],
    [
      {
        callLogId: 9,
        callId: null,
        before: { outcome: "no_answer", notes: null, confirmed: false },
        after: { outcome: "answered", notes: "answered", confirmed: true },
      },
      [
        "Resultado: Sin respuesta → Contestada",
        "Notas: answered",
        "Confirmado: no → sí",
        "Registro de llamada: n.º 9",
        "Llamada: ninguno",
      ],
    ],
    [
      { before: "new", conversionValue: 1_250.5, notes: null },
      ["Antes: Nuevo", "Valor: $1,250.50", "Notas: ninguno"],
    ],
    [
      {
        format: "csv",
        count: 1_586,
        filters: { status: "interested", rep: 2, created: "week", ids: [7, 8] },
      },
      [
        "Estado: Interesado",
        "Consultor: Ana Rivera",
        "Creados: últimos 7 días",
        "Prospectos elegidos: n.º 7, n.º 8",
        "Formato: CSV",
        "Cantidad: 1,586",
      ],
    ],
    [
      { name: "Eva", changes: { role: { before: "consultant", after: "admin" } } },
      ["Rol: Consultor → Administrador", "Nombre: Eva"],
    ],
    [
      { name: "Eva", transferred: 5, to: { 2: 3, 9: 2 }, notes: null },
      ["Pasaron a: Ana Rivera: 3, n.º 9: 2", "Nombre: Eva", "Prospectos transferidos: 5", "Notas: ninguno"],
    ],
    [
      { channel: "text", refusal: "opted_out", reason: "call" },
      ["Medio: SMS", "Impedimento: Pidió no ser contactado", "Motivo: call"],
    ],
    [{ fields: ["name", "email"] }, ["Campos: Nombre, Correo"]],
    [{ kind: "all" }, ["Alcance: Todos"]],
    [
      { field: "number.voiceUrl", before: "", after: "https://portal.test/voice" },
      ["Número del sistema: dirección para llamadas: https://portal.test/voice"],
    ],
    [
      { changes: { "service.useInboundWebhookOnNumber": { before: "true", after: "false" } } },
      ["Messaging Service: primero la dirección de cada número: sí → no"],
    ],
  ])("describe %j in both languages", (data, words) => {
    expect(wordsOf(data)).toEqual(words);
    setLanguage("es");
    expect(wordsOf(data)).toEqual(words);
  });

  it("name every setting that Fix may change at Twilio", () => {
    const raw = Object.keys(settingMessages.pairs).filter((field) =>
      wordsOf({ field: `number.${field}`, before: "a", after: "b" })[0]?.includes(field),
    );
    expect(raw).toEqual([]);
  });

  it("name the subject of an entry", () => {
    const subjects = ["lead:42", "user:2", "user:8", "webhook-source:hubspot", null, "odd"];
    expect(subjects.map((subject) => subjectLabel(subject, nameOf))).toEqual([
      "Prospecto n.º 42",
      "Ana Rivera",
      "Usuario n.º 8",
      "Webhook hubspot",
      "—",
      "odd",
    ]);
  });
});
