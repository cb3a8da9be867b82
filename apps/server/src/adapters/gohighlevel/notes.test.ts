import fc from "fast-check";
import { expect, it } from "vitest";
import { noteText } from "./notes.ts";

it.each([
  [
    "<p>Called <strong>Ana</strong> &amp; Luis</p><p>Budget&nbsp;&lt; $500</p>",
    "Called Ana & Luis\nBudget < $500",
  ],
  ["<p>One</p><p><br></p><p>Two</p>", "One\n\nTwo"],
  ["<ul><li><p>first</p></li><li>second</li></ul>after", "- first\n- second\nafter"],
  [
    '<p>See <a href="https://example.com/x">the offer</a>, <a href="mailto:a@example.com">a@example.com</a></p>',
    "See the offer (https://example.com/x), a@example.com",
  ],
  ["<table><tr><td>a</td><td>b</td></tr></table>", "a b"],
  ["line<br>break<br/>again", "line\nbreak\nagain"],
])("converts %s to text", (html, text) => {
  expect(noteText(html)).toBe(text);
});

it.each(["plain\ntext  as typed", "budget <5k, mail <ana@example.com>", "a < b > c", "x <- y; R&amp;D"])(
  "leaves %j as it was typed",
  (typed) => {
    expect(noteText(typed)).toBe(typed);
  },
);

it("removes everything that could execute", () => {
  const hostile = `<p>Hi</p><script>alert(1)</script><img src=x onerror="alert(2)"><svg onload=alert(3)><text>x</text></svg>
    <a href="javascript:alert(4)">press</a><iframe srcdoc="<script>alert(5)</script>"></iframe><style>p{}</style><p>there`;
  expect(noteText(hostile)).toBe("Hi\npress\nthere");
});

it("converts any input quickly, however deeply nested", () => {
  expect(noteText(`${"<div>".repeat(7_000)}deep`)).toBe("deep");
  expect(noteText(`${"<div><b>".repeat(20_000)}cut off`)).toBe("");
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => typeof noteText(`<p>${text}`) === "string"));
});
