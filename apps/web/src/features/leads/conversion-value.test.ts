import { convertLead } from "@portal/contract/routes/leads";
import { describe, expect, it } from "vitest";
import { parseConversionValue } from "./components/convert-dialog.tsx";

describe("the conversion value", () => {
  it("is 0 when nothing is typed", () => {
    expect(parseConversionValue(" ")).toBe(0);
  });

  it.each(["0", "1250.5", "999999999", "-1", "1000000000", "abc", "1e400"])(
    "accepts %s exactly when the server does",
    (typed) => {
      const accepted = convertLead.body?.safeParse({ conversionValue: typed }).success;
      expect(parseConversionValue(typed) !== null).toBe(accepted);
    },
  );
});
