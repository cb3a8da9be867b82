import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { properName, repeatsName, typedName } from "./person-name.ts";

const letters = fc.constantFrom(..."abcdeMCOZñÑáÁéüÜçßo de la y'’-\"(). 1");

describe("properName", () => {
  it.each([
    ["maria garcia lopez", "María García López"],
    ["JOSE DE LA O", "José de la O"],
    ["  juan   perez ", "Juan Pérez"],
    ["victor nunez", "Víctor Núñez"],
    ["jose 2 nunez 1,5", "José 2 Núñez 1,5"],
    ["victor smith", "Victor Smith"],
    ["martin luther", "Martin Luther"],
    ["\u202Eana\u202C \u2066ruiz\u2069", "Ana Ruiz"],
    ["\u200B", ""],
    ["", ""],
  ])("capitalizes %j as %j", (typed, proper) => {
    expect(properName(typed)).toBe(proper);
  });

  it.each([
    "McAllister",
    "Ana DeJesus",
    "Ronald MacDonald",
    "Macarena Machado",
    'José "Pepe" García',
    "José «Pepe» García",
    "María (Mary) López",
    "J.P. Morgan",
    "JP Morgan",
    "MJ Watson",
    "Juan P. Gómez",
    "Samuel L Jackson",
    "María Dos",
    "Juan De",
    "Ana De La Cruz",
    "Oscar de la Hoya",
    "Leonardo da Vinci",
    "Puig i Cadafalch",
    "Patrick O'Brien",
    "Patrick O’Brien",
    "Beverly D'Angelo",
    "LeBron James",
    "DeShawn LaPorte",
    "John Smith III",
    "Sammy Davis Jr.",
    "eBay Motors",
    "Clínica Dental S.A.",
    "Núñez & Hijos",
    "김민준",
    "山田 太郎",
    "X Æ A-12",
    "Ñ",
    "ana.reyes@example.com",
    "www.example.com",
    "=cmd|' /c calc'!A0",
  ])("leaves %j as it was typed", (typed) => {
    expect(properName(typed)).toBe(typed);
  });

  it.each([
    ["maria dos", "María Dos"],
    ["JUAN DE", "Juan De"],
    ["maria dos jr.", "María Dos Jr."],
    ["de la cruz", "De la Cruz"],
    ["MARIA DE LOS ANGELES DE LEON", "María de los Ángeles de León"],
    ["lopez-de-ayala", "López-de-Ayala"],
    ["jose ortega y gasset", "José Ortega y Gasset"],
    ["john e smith", "John E Smith"],
    ["antonio costa e silva", "Antonio Costa e Silva"],
    ["VAN DER BERG", "Van der Berg"],
  ])("lower-cases a particle only between names: %j as %j", (typed, proper) => {
    expect(properName(typed)).toBe(proper);
  });

  it.each([
    ["o'brien", "O'Brien"],
    ["O’NEIL", "O’Neil"],
    ["d'angelo", "D'Angelo"],
    ["joe's diner", "Joe's Diner"],
    ["garcia-lopez", "García-López"],
    ["Garcia-Lopez", "García-López"],
    ["ANNE-MARIE", "Anne-Marie"],
    ["mcallister", "McAllister"],
    ["MCDONALD", "McDonald"],
    ["macdonald", "MacDonald"],
    ["john smith iii", "John Smith III"],
    ["HENRY TUDOR VIII", "Henry Tudor VIII"],
    ["sammy davis jr.", "Sammy Davis Jr."],
    ["ELENA PRADO MD", "Elena Prado MD"],
    ["john smith 3rd", "John Smith 3rd"],
    ["j.p. morgan", "J.P. Morgan"],
    ["MJ LOPEZ", "MJ López"],
    ["ANDREW NG", "Andrew Ng"],
    ['JOSE "PEPE" GARCIA', 'José "Pepe" García'],
    ["maria (mary) lopez", "María (Mary) López"],
    ["GARCIA, MARIA", "García, María"],
    ["Jean DUPONT", "Jean Dupont"],
    ["REYES SOLAR LLC", "Reyes Solar LLC"],
    ["clinica dental s.a. de c.v.", "Clinica Dental S.A. de C.V."],
    ["a", "A"],
    ["ИВАН", "Иван"],
  ])("capitalizes words in all lower or all upper case: %j as %j", (typed, proper) => {
    expect(properName(typed)).toBe(proper);
  });

  it.each([
    ["nuñez", "Núñez"],
    ["NUÑEZ", "Núñez"],
    ["Nuñez", "Núñez"],
    ["Nuñéz", "Nuñéz"],
    ["nun\u0303ez", "Núñez"],
    ["JUAN MUÑOZ", "Juan Muñoz"],
    ["MARTÍNEZ ÑÁÑEZ", "Martínez Ñáñez"],
    ["íñigo agüero", "Íñigo Agüero"],
    ["begoña ibañez", "Begoña Ibáñez"],
    ["MARIA JOSÉ", "María José"],
    ["antonio velez", "Antonio Vélez"],
    ["saul smith", "Saul Smith"],
    ["saul villasenor", "Saúl Villaseñor"],
    ["Jose Garcia", "José García"],
  ])("adds the accents of common Spanish names to existing ones: %j as %j", (typed, proper) => {
    expect(properName(typed)).toBe(proper);
  });

  it("is stable when applied again", () => {
    fc.assert(
      fc.property(fc.string({ unit: letters, maxLength: 40 }), (typed) => {
        // The first call may remove the mixed case that a person chose: 'OC a' becomes 'OC A', and the second makes it 'Oc A'.
        const twice = properName(properName(typed));
        expect(properName(twice)).toBe(twice);
      }),
    );
  });
});

describe("typedName", () => {
  it.each([
    [" Maria Garcia ", "Ana Reyes", "Maria Garcia"],
    ["Jose nunez", "José Núñez", "Jose nunez"],
    ["MJ", "Mj", "MJ"],
    ["IBM", "Ibm", "IBM"],
    ["bell hooks", "Bell Hooks", "bell hooks"],
    ["jose de la o", "Ana Reyes", "José de la O"],
  ])("stores %j over %j as %j", (typed, before, kept) => {
    expect(typedName(typed, before)).toBe(kept);
  });
});

describe("repeatsName", () => {
  it.each([
    ["JP Morgan", "jp morgan"],
    ["JP Morgan", "Jp Morgan"],
    ["Maria Garcia", "MARIA GARCIA"],
    ["José Núñez", "JOSE NUNEZ"],
    ["Ana DeJesus", "ANA DEJESUS"],
  ])("recognizes %j in %j", (known, typed) => {
    expect(repeatsName(known, typed)).toBe(true);
  });

  it.each([
    ["Ana Reyes", "Ana Gil"],
    ["Jose Reyes", "José Reyes"],
    ["Ana Dejesus", "Ana DeJesus"],
  ])("does not recognize %j in %j", (known, typed) => {
    expect(repeatsName(known, typed)).toBe(false);
  });
});
