import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it } from "vitest";
import { askJsdom } from "./computed-style.ts";

afterEach(() => {
  document.body.replaceChildren();
});

/** What decides about an element's display or visibility, each in another way; `t` is the element that is asked about. */
const pages = [
  ...[
    "div",
    "p",
    "span",
    "button",
    "input",
    "li",
    "title",
    "template",
    "dialog",
    "summary",
    "slot",
    "svg",
  ].map((tag) => `<${tag} id="t"></${tag}>`),
  '<input id="t" type="hidden">',
  '<dialog id="t" open></dialog>',
  '<details><summary id="t"></summary></details>',
  '<div id="t" hidden></div>',
  '<div id="t" hidden style="display: flex"></div>',
  '<div id="t" hidden="until-found"></div>',
  '<div id="t" popover></div>',
  '<div id="t" style="display: none"></div>',
  '<div id="t" style="visibility: hidden"></div>',
  '<div style="visibility: hidden"><div><p id="t"></p></div></div>',
  '<div style="visibility: hidden"><p id="t" style="visibility: visible"></p></div>',
  '<table><tbody><tr hidden><td id="t"></td></tr></tbody></table>',
];

describe("the computed style of these tests", () => {
  it.each(pages)("is jsdom's for %s", (html) => {
    // The same kinds without any attribute come first, because their answer is remembered.
    document.body.innerHTML = "<div></div><p></p><input><dialog></dialog><summary></summary><table></table>";
    for (const element of document.body.children) void getComputedStyle(element).display;
    document.body.innerHTML = html;
    const element = document.getElementById("t") as Element;
    const own = getComputedStyle(element);
    const real = askJsdom(element);
    for (const name of ["display", "visibility", "pointer-events", "position", "font-size"])
      expect(own.getPropertyValue(name), name).toBe(real.getPropertyValue(name));
    expect([own.display, own.visibility, own.fontWeight]).toEqual([
      real.display,
      real.visibility,
      real.fontWeight,
    ]);
  });

  it("hides from queries what a style or an attribute hides, as soon as it does", () => {
    document.body.innerHTML = "<main><section><button>Call</button></section></main>";
    const [main, section] = [screen.getByRole("main"), document.querySelector("section") as HTMLElement];
    const found = () => screen.queryAllByRole("button", { name: "Call" }).length;
    expect(found()).toBe(1);
    main.style.display = "none";
    expect(found()).toBe(0);
    main.style.display = "";
    expect(found()).toBe(1);
    section.style.visibility = "hidden";
    expect(found()).toBe(0);
    section.style.visibility = "";
    main.hidden = true;
    expect(found()).toBe(0);
    main.hidden = false;
    expect(found()).toBe(1);
  });

  it("leaves hidden words out of a name", () => {
    document.body.innerHTML = '<button>Call <i style="display: none">nobody</i></button>';
    expect(screen.getByRole("button", { name: "Call" })).toBeDefined();
  });

  it("lets no press through where the page takes none", async () => {
    document.body.innerHTML = '<div style="pointer-events: none"><button>Call</button></div>';
    await expect(userEvent.click(screen.getByRole("button"))).rejects.toThrow("pointer-events: none");
  });
});
