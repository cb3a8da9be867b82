import type { Availability } from "@portal/contract/entities/availability";
import { useQuery } from "@tanstack/react-query";
import { CircleCheck, Clock, Moon, PhoneOff } from "lucide-react";
import { useState } from "react";
import { cn } from "../../lib/cn.ts";
import { formatSoon } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.ts";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "../../ui/dropdown-menu.tsx";
import { awayChoices, awayUntil } from "./away-values.ts";
import { availabilityMessages } from "./messages.ts";
import { availabilityQuery, useUpdateAvailability } from "./queries.ts";

const icons = { available: CircleCheck, away: PhoneOff, outside_hours: Moon };
const looks = {
  available: "text-muted-foreground hover:bg-muted",
  away: "bg-warning-soft text-warning-text",
  outside_hours: "bg-muted text-foreground",
};

/** The name of a state, with its end if it has one. */
function useStateWords({ state, until }: Pick<Availability, "state" | "until">): string {
  const t = useMessages(availabilityMessages);
  if (until === null || state === "available") return t(state);
  return t(state === "away" ? "awayUntil" : "outsideUntil", { time: formatSoon(until) });
}

/**
 * The user's availability and a button to change it: an available user becomes away, optionally until a time; an away user comes back.
 * Outside working hours it offers to stay away longer.
 */
export default function AvailabilityControl() {
  const { data } = useQuery(availabilityQuery());
  return data ? <Control now={data} /> : null;
}

function Control({ now }: { now: Availability }) {
  const t = useMessages(availabilityMessages);
  const words = useStateWords(now);
  const { mutate, isPending } = useUpdateAvailability();
  const [isOpen, setOpen] = useState(false);
  // The state before the press, which has the end of today's hours.
  const [before, setBefore] = useState(now);
  const Icon = icons[now.state];

  function press(): void {
    if (isPending) return;
    if (now.state === "away") {
      mutate({ away: false });
      return;
    }
    setBefore(now);
    if (now.state === "available") mutate({ away: true });
    setOpen(true);
  }
  const isAway = now.state === "away";
  return (
    <DropdownMenu open={isOpen} onOpenChange={setOpen}>
      <DropdownMenuTrigger asChild>
        <button
          type="button"
          title={words}
          // The press changes the state, which opens the menu.
          onPointerDown={(event) => event.preventDefault()}
          onKeyDown={(event) => {
            if (event.key !== "Enter" && event.key !== " ") return;
            event.preventDefault();
            if (!event.repeat) press();
          }}
          onClick={press}
          className={cn(
            "inline-flex h-8 items-center gap-1.5 rounded-md px-2 font-medium text-xs pointer-coarse:h-11 pointer-coarse:min-w-11 pointer-coarse:justify-center",
            looks[now.state],
          )}
        >
          <Icon aria-hidden className="size-4 shrink-0" />
          <span className="max-md:sr-only">{words}</span>
        </button>
      </DropdownMenuTrigger>
      <DropdownMenuContent className="max-w-72">
        <DropdownMenuLabel>
          <span className="block font-medium">{t("menuTitle")}</span>
          <span className="block text-muted-foreground text-xs">{t("menuHint")}</span>
        </DropdownMenuLabel>
        {awayChoices.map((choice) => (
          <DropdownMenuItem
            key={choice}
            onSelect={() => {
              const until = awayUntil(choice, before, new Date());
              mutate({ away: true, awayUntil: until?.toISOString() ?? null });
            }}
          >
            <Clock aria-hidden />
            {t(choice)}
          </DropdownMenuItem>
        ))}
        {isAway ? (
          <>
            <DropdownMenuSeparator />
            <DropdownMenuItem onSelect={() => mutate({ away: false })}>
              <CircleCheck aria-hidden />
              {t("backNow")}
            </DropdownMenuItem>
          </>
        ) : null}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
