import { limits } from "@portal/contract/limits";
import { smsSegments, withoutAccents } from "@portal/contract/sms-segments";
import { useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { smsMessages } from "../messages.ts";

/** Length and parts; where some accents make more parts of it, the same text without them. */
export function SegmentMeter({ text, onReplace }: { text: string; onReplace: (text: string) => void }) {
  const t = useMessages(smsMessages);
  const { encoding, segments } = smsSegments(text.trim());
  const plain = withoutAccents(text);
  const plainSegments = smsSegments(plain.trim()).segments;
  const isShortened = encoding === "UCS-2" && segments > 1;
  return (
    <>
      {plainSegments < segments ? (
        <Button
          variant="link"
          size="sm"
          className="h-auto whitespace-normal px-0 text-left text-xs"
          onClick={() => onReplace(plain)}
        >
          {t("withoutAccents", { count: plainSegments })}
        </Button>
      ) : isShortened ? (
        <span>{t("unicode")}</span>
      ) : (
        <span className="pointer-coarse:hidden">{t("keys")}</span>
      )}
      <span className="ml-auto tabular-nums">
        {t("counter", { used: String(text.length), max: String(limits.smsMaxLength) })}
        {segments > 0 ? ` · ${t("segments", { count: segments })}` : null}
      </span>
    </>
  );
}
