import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { DeskOutline, SignInOutline } from "./outlines.tsx";

/**
 * The screens that the server puts into the page, so that something is to be seen while the code is on its way: HTML by name. Runs when
 * building (vite.config.ts). `lib/first-paint.ts` takes them away when the real screen is there; until then nothing in them can be used.
 */
export function renderFirstPaints(): Record<string, string> {
  const demo = [false, true];
  return Object.fromEntries([
    ["passwordSignIn", inFrame(<SignInOutline byPassword byProvider={false} />)],
    ["providerSignIn", inFrame(<SignInOutline byPassword={false} byProvider />)],
    ["bothSignIn", inFrame(<SignInOutline byPassword byProvider />)],
    ...demo.map((isDemo) => [
      isDemo ? "demoLeads" : "leads",
      inFrame(<DeskOutline isDemo={isDemo} isLeads />),
    ]),
    ...demo.map((isDemo) => [
      isDemo ? "demoDesk" : "desk",
      inFrame(<DeskOutline isDemo={isDemo} isLeads={false} />),
    ]),
  ]);
}

function inFrame(screen: ReactElement): string {
  return renderToStaticMarkup(
    <div id="first-paint" aria-hidden inert className="fixed inset-0 z-50 overflow-hidden bg-background">
      {screen}
    </div>,
  );
}
