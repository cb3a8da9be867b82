import type { ReactNode } from "react";
import { Logo } from "../../../ui/logo.tsx";
import { BrandPanel } from "./brand-panel.tsx";

interface SignInFrameProps {
  heading: ReactNode;
  subtitle: ReactNode;
  children: ReactNode;
}

/** The page of whoever is not signed in: a column beside the picture. */
export function SignInFrame({ heading, subtitle, children }: SignInFrameProps) {
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(0,1fr)_minmax(0,1.05fr)]">
      <main className="flex flex-col px-6 py-6 sm:px-10">
        <Logo />
        <div className="mx-auto grid w-full max-w-sm flex-1 content-center gap-8 py-10">
          <div className="grid gap-2">
            <h1 className="font-semibold text-[1.75rem] leading-9">{heading}</h1>
            <p className="text-balance text-muted-foreground">{subtitle}</p>
          </div>
          {children}
        </div>
      </main>
      <BrandPanel />
    </div>
  );
}
