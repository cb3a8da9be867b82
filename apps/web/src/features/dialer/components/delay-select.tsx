import { limits } from "@portal/contract/limits";
import { useTexts } from "../../../lib/i18n.ts";
import { Select } from "../../../ui/select.tsx";
import { dialerTexts } from "../texts.ts";

export type DelaySeconds = (typeof limits.dialerDelaysSeconds)[number];

interface DelaySelectProps {
  id?: string;
  "aria-label"?: string;
  className?: string;
  value: number;
  disabled?: boolean;
  onChange: (seconds: DelaySeconds) => void;
}

/** The recorded delays between two calls. */
export function DelaySelect({ value, onChange, ...props }: DelaySelectProps) {
  const t = useTexts(dialerTexts);
  return (
    <Select
      {...props}
      value={String(value)}
      onValueChange={(chosen) => {
        const seconds = limits.dialerDelaysSeconds.find((delay) => String(delay) === chosen);
        if (seconds !== undefined && seconds !== value) onChange(seconds);
      }}
      options={limits.dialerDelaysSeconds.map((seconds) => ({
        value: String(seconds),
        label: t("seconds", { count: seconds }),
      }))}
    />
  );
}
