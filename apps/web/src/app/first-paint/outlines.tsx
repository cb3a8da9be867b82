import { Menu, PhoneCall, RefreshCw } from "lucide-react";
import { SignInFrame } from "../../features/auth/components/sign-in-frame.tsx";
import { authTexts } from "../../features/auth/texts.ts";
import { crmSyncTexts } from "../../features/crm-sync/texts.ts";
import { LeadSkeletons } from "../../features/leads/components/lead-skeletons.tsx";
import { leadsTexts } from "../../features/leads/texts.ts";
import { cn } from "../../lib/cn.ts";
import type { TextPair } from "../../lib/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { filterSelectClasses } from "../../ui/filter-bar.tsx";
import { controlClasses } from "../../ui/input.tsx";
import { Label } from "../../ui/label.tsx";
import { Logo } from "../../ui/logo.tsx";
import { PageHeading } from "../../ui/page-header.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { DemoBannerFrame } from "../demo-banner.tsx";
import { contentClasses, shellClasses, sidebarClasses, topBarClasses } from "../shell-classes.ts";
import { shellTexts } from "../shell-texts.ts";

/** A text in both languages, of which the page shows the one in force: no code runs yet that could choose. */
function Both({ pair: [en, es] }: { pair: TextPair }) {
  return (
    <>
      <span lang="en" className="[html[lang=es]_&]:hidden">
        {en}
      </span>
      <span lang="es" className="[html:not([lang=es])_&]:hidden">
        {es}
      </span>
    </>
  );
}

/** What a visitor sees before the sign-in's code has come. */
export function SignInOutline({ byPassword, byProvider }: { byPassword: boolean; byProvider: boolean }) {
  const { heading, subtitle, email, password, signIn, contactAdministrator } = authTexts.pairs;
  return (
    <SignInFrame heading={<Both pair={heading} />} subtitle={<Both pair={subtitle} />}>
      <div className="grid gap-5">
        {byPassword
          ? [email, password].map((label) => (
              <div key={label[0]} className="grid gap-1.5">
                <Label>
                  <Both pair={label} />
                </Label>
                <div className={cn(controlClasses, "h-11")} />
              </div>
            ))
          : null}
        {byPassword ? (
          <Button size="lg">
            <Both pair={signIn} />
          </Button>
        ) : null}
        {byPassword && byProvider ? <div className="h-5" /> : null}
        {byProvider ? <Button size="lg" variant={byPassword ? "secondary" : "primary"} /> : null}
        <p className="text-balance text-muted-foreground text-sm">
          <Both pair={contactAdministrator} />
        </p>
        <div className="h-7 pointer-coarse:h-11" />
      </div>
    </SignInFrame>
  );
}

/** What somebody sees who is signed in: the frame of every page, and on the first one what it begins with. */
export function DeskOutline({ isDemo, isLeads }: { isDemo: boolean; isLeads: boolean }) {
  const { demoBanner, demoDetail } = shellTexts.pairs;
  return (
    <div className={shellClasses(isDemo)}>
      <header>
        {isDemo ? (
          <DemoBannerFrame text={<Both pair={demoBanner} />} detail={<Both pair={demoDetail} />} />
        ) : null}
        <div className={topBarClasses}>
          <div>
            <span className="grid size-9 place-items-center md:hidden pointer-coarse:size-11">
              <Menu className="size-5" />
            </span>
          </div>
          <Logo className="pointer-coarse:min-h-11" />
          <div className="flex justify-end">
            <span className="grid size-9 place-items-center pointer-coarse:size-11">
              <Skeleton className="size-8 rounded-full" />
            </span>
          </div>
        </div>
      </header>
      <div className="flex flex-1">
        <div className={cn(sidebarClasses, "w-[3.75rem] max-md:hidden")} />
        <div className="min-w-0 flex-1">
          <div className={contentClasses}>{isLeads ? <LeadsOutline /> : null}</div>
        </div>
      </div>
    </div>
  );
}

function LeadsOutline() {
  return (
    <div className="grid gap-5">
      <PageHeading
        title={<Both pair={leadsTexts.pairs.title} />}
        subtitle={<Both pair={leadsTexts.pairs.subtitle} />}
        actions={
          <>
            <Button>
              <PhoneCall />
              <Both pair={leadsTexts.pairs.autoDialer} />
            </Button>
            <Button variant="secondary">
              <RefreshCw />
              <Both pair={crmSyncTexts.pairs.syncLeads} />
            </Button>
          </>
        }
      />
      <div className="grid grid-cols-3 gap-2 sm:gap-4">
        {["total", "contacted", "follow-ups"].map((tile) => (
          <div key={tile} className="h-23.5 rounded-xl border bg-surface shadow-card sm:h-22.5" />
        ))}
      </div>
      <div className="flex flex-wrap gap-2">
        <div className="h-9 grow basis-full rounded-md border border-input bg-surface sm:basis-64 pointer-coarse:h-11" />
        {["status", "priority"].map((filter) => (
          <div
            key={filter}
            className={cn(
              filterSelectClasses,
              "h-9 rounded-md border border-input bg-surface pointer-coarse:h-11",
            )}
          />
        ))}
      </div>
      <LeadSkeletons />
    </div>
  );
}
