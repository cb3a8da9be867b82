import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { properName } from "./person-name.ts";

const letters = fc.constantFrom(..."abcdeMCOZñÑáÁéüÜçßo de la y'’- .1");

describe("properName", () => {
  it.each([
    ["maria garcia lopez", "María García López"],
    ["JOSE DE LA O", "José de la O"],
    ["McAllister", "McAllister"],
    ["ana DeJesus", "Ana DeJesus"],
    ["  juan   perez ", "Juan Pérez"],
    ["o'brien", "O'Brien"],
    ["garcia-lopez", "García-López"],
    ["de la cruz", "De la Cruz"],
    ["JUAN MUÑOZ", "Juan Muñoz"],
    ["victor nunez", "Víctor Núñez"],
    ["jose 2 nunez 1,5", "José 2 Núñez 1,5"],
    ["victor smith", "Victor Smith"],
    ["martin luther", "Martin Luther"],
    ["mcallister", "McAllister"],
    ["John Smith III", "John Smith III"],
    ["\u202Eana\u202C \u2066ruiz\u2069", "Ana Ruiz"],
    ["\u200B", ""],
    ["", ""],
  ])("writes %j as %j", (typed, proper) => {
    expect(properName(typed)).toBe(proper);
  });

  it("changes nothing when it is applied again", () => {
    fc.assert(
      fc.property(fc.string({ unit: letters, maxLength: 40 }), (typed) => {
        const once = properName(typed);
        expect(properName(once)).toBe(once);
      }),
    );
  });
});
