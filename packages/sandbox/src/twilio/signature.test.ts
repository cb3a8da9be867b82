import twilio from "twilio";
import { expect, test } from "vitest";
import { signForm, signJson } from "./signature.ts";

test("signs the example of Twilio's documentation", () => {
  const params = {
    CallSid: "CA1234567890ABCDE",
    Caller: "+14158675309",
    Digits: "1234",
    From: "+14158675309",
    To: "+18005551212",
  };
  expect(signForm("12345", "https://mycompany.com/myapp.php?foo=1&bar=2", params)).toBe(
    "RSOYDt4T1cUTdK1PDd93/VVr8B8=",
  );
});

test("signs a status callback", () => {
  const params = { CallSid: `CA${"1".repeat(32)}`, CallStatus: "completed" };
  expect(signForm("tok", "https://portal.example.com/api/twilio/voice/status?x=1", params)).toBe(
    "3Va2inrh2HPzl0l2GeVglAEstbg=",
  );
});

test("signs a JSON body by its hash in the URL", () => {
  const { url, signature } = signJson("tok", "https://portal.example.com/api/twilio/events", '{"a":1}');
  expect(url).toBe(
    "https://portal.example.com/api/twilio/events?bodySHA256=015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862",
  );
  expect(signature).toBe("QQl0tPDXgQUnl0ntUa5NyjWj12k=");
});

test("signs repeated values once each, and leaves the fragment out, as the SDK expects", () => {
  const url = "https://portal.example.com/hook?a=%C3%A9";
  const params = { b: ["2", "1", "2"], a: "ñ" };
  expect(twilio.validateRequest("tok", signForm("tok", `${url}#rc=3`, params), url, params)).toBe(true);
  expect(twilio.validateRequest("tok", signForm("other", url, params), url, params)).toBe(false);
});
