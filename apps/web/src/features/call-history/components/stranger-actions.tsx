import { Copy, Phone } from "lucide-react";
import { formatPhone } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { toast } from "../../../ui/toast.ts";
import { historyTexts } from "../texts.ts";

/** What can be done with a caller who is no lead: the portal rings leads only, so the number is dialled or copied. */
export function StrangerActions({ number }: { number: string }) {
  const t = useTexts(historyTexts);
  const shown = formatPhone(number);
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(number);
      toast({ title: t("copied"), description: shown, tone: "success" });
    } catch {
      toast({ title: t("copyNumber"), description: t("copyFailed"), tone: "destructive" });
    }
  }
  return (
    <>
      <Button asChild size="sm" variant="secondary">
        <a href={`tel:${number}`} title={t("dialHint")}>
          <Phone aria-hidden />
          {t("dial")} <span className="sr-only">{shown}</span>
        </a>
      </Button>
      <Button
        size="icon-sm"
        variant="secondary"
        aria-label={`${t("copyNumber")} ${shown}`}
        title={t("copyNumber")}
        onClick={() => void copy()}
      >
        <Copy aria-hidden />
      </Button>
    </>
  );
}
