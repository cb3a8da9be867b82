import { expect, it } from "vitest";
import { isLocalAddress } from "./check.ts";

it.each([
  ["http://localhost:5000", true],
  ["http://127.0.0.1:5000", true],
  ["http://[::1]:5000", true],
  ["http://[fd00::12]", true],
  ["http://192.168.1.20", true],
  ["http://172.31.0.1", true],
  ["http://172.32.0.1", false],
  ["http://portal", true],
  ["https://portal.local", true],
  ["https://portal.corp.internal", true],
  ["https://portal.example.com", false],
  ["https://203.0.113.7", false],
  ["https://localhost.example.com", false],
])("%s is local: %s", (address, local) => {
  expect(isLocalAddress(address)).toBe(local);
});
