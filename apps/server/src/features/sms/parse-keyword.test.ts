import { describe, expect, it } from "vitest";
import { parseKeyword } from "./policy.ts";

describe("parseKeyword", () => {
  it.each(
    [
      ..."STOP STOPALL UNSUBSCRIBE CANCEL END QUIT REVOKE OPTOUT ALTO PARAR BAJA CANCELAR".split(" "),
      " stop ",
      "Stop.",
      "¡Alto!",
      "bája",
    ].map((body) => [body]),
  )("parses %j as stop", (body) => {
    expect(parseKeyword(body)).toBe("stop");
  });

  it.each(["START", "yes", "Unstop", "ALTA", "iniciar", "Sí", "si"].map((body) => [body]))(
    "parses %j as start",
    (body) => {
      expect(parseKeyword(body)).toBe("start");
    },
  );

  it.each(
    ["stop calling me", "please stop", "¿Sí?", "yes please", "", "stopped", "alto ahí", "no"].map((body) => [
      body,
    ]),
  )("parses %j as no keyword", (body) => {
    expect(parseKeyword(body)).toBeNull();
  });
});
