import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { STORAGE_KEYS } from "./storage-keys.ts";
import { setTheme } from "./theme.ts";

const script = readFileSync(path.join(import.meta.dirname, "../../public/theme.js"), "utf8");
const root = document.documentElement;

describe("the script before the first paint", () => {
  it.each([
    { theme: "dark", language: "es", dark: true, lang: "es" },
    { theme: "light", language: "en", dark: false, lang: "en" },
    { theme: "auto", language: null, dark: false, lang: "en" },
    { theme: null, language: "fr", dark: false, lang: "en" },
  ])("applies theme $theme and language $language from storage", ({ theme, language, dark, lang }) => {
    if (theme) localStorage.setItem(STORAGE_KEYS.theme, theme);
    if (language) localStorage.setItem(STORAGE_KEYS.language, language);
    // The script is served as it is, outside the bundle.
    new Function(script)();
    expect(root.classList.contains("dark")).toBe(dark);
    expect(root.lang).toBe(lang);
  });
});

describe("setTheme", () => {
  it("toggles the dark class and stores the choice", () => {
    setTheme("dark");
    expect(root.classList.contains("dark")).toBe(true);
    expect(localStorage.getItem(STORAGE_KEYS.theme)).toBe("dark");
    setTheme("auto");
    expect(root.classList.contains("dark")).toBe(false);
    expect(localStorage.getItem(STORAGE_KEYS.theme)).toBe("auto");
  });
});
