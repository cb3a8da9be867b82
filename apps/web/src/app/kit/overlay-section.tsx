import { Phone, Trash2 } from "lucide-react";
import { type RefObject, useRef, useState } from "react";
import { type MessageKey, useMessages } from "../../lib/i18n.ts";
import { AlertDialog } from "../../ui/alert-dialog.tsx";
import { Button } from "../../ui/button.tsx";
import { FormDialog } from "../../ui/dialog.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "../../ui/dropdown-menu.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { Popover, PopoverContent, PopoverTrigger } from "../../ui/popover.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../../ui/tabs.tsx";
import { type ToastTone, toast } from "../../ui/toast.ts";
import { Tooltip } from "../../ui/tooltip.tsx";
import { kitMessages, Section, Specimen } from "./specimen.tsx";

const tones: { tone: ToastTone; label: MessageKey<typeof kitMessages.pairs> }[] = [
  { tone: "default", label: "toastInfo" },
  { tone: "success", label: "toastDone" },
  { tone: "warning", label: "toastWarning" },
  { tone: "destructive", label: "toastFailed" },
];

/** Tabs, in both themes. */
export function TabsSection() {
  const t = useMessages(kitMessages);
  return (
    <Section title={t("tabs")}>
      <Specimen part="tabs" state="rest" isStack>
        <Tabs defaultValue="one">
          <TabsList>
            <TabsTrigger value="one">
              <Phone aria-hidden />
              {t("one")}
            </TabsTrigger>
            <TabsTrigger value="two">{t("two")}</TabsTrigger>
            <TabsTrigger value="three" disabled>
              {t("three")}
            </TabsTrigger>
          </TabsList>
          <TabsContent value="one">{t("hint")}</TabsContent>
          <TabsContent value="two">{t("long")}</TabsContent>
        </Tabs>
      </Specimen>
    </Section>
  );
}

/** Overlays have the page's own theme, so each is opened by a button. */
export function OverlaySection() {
  const t = useMessages(kitMessages);
  const [open, setOpen] = useState<"dialog" | "question" | null>(null);
  const dialogButton = useRef<HTMLButtonElement>(null);
  const questionButton = useRef<HTMLButtonElement>(null);
  const close = () => setOpen(null);
  return (
    <section aria-label={t("overlays")} className="grid gap-2">
      <h2 className="font-semibold text-base">{t("overlays")}</h2>
      <p className="text-muted-foreground text-sm">{t("overlaysHint")}</p>
      <div className="flex flex-wrap gap-2" data-overlays>
        <Button ref={dialogButton} variant="secondary" onClick={() => setOpen("dialog")}>
          {t("dialog")}
        </Button>
        <Button ref={questionButton} variant="secondary" onClick={() => setOpen("question")}>
          {t("question")}
        </Button>
        <SampleMenu />
        <Popover>
          <PopoverTrigger asChild>
            <Button variant="secondary">{t("popover")}</Button>
          </PopoverTrigger>
          <PopoverContent aria-label={t("popover")} className="w-72">
            <p className="text-sm">{t("long")}</p>
          </PopoverContent>
        </Popover>
        <Tooltip content={t("hint")}>
          <Button variant="secondary">{t("tooltip")}</Button>
        </Tooltip>
        {tones.map(({ tone, label }) => (
          <Button
            key={tone}
            variant="secondary"
            onClick={() => toast({ tone, title: t(label), description: t("long") })}
          >
            {t(label)}
          </Button>
        ))}
      </div>
      {open === "dialog" ? <SampleDialog returnFocusTo={dialogButton} onClose={close} /> : null}
      <AlertDialog
        open={open === "question"}
        onOpenChange={close}
        title={t("questionTitle")}
        description={t("long")}
        cancelLabel={t("cancel")}
        confirmLabel={t("destructive")}
        onConfirm={close}
        destructive
        returnFocusTo={questionButton}
      />
    </section>
  );
}

function SampleMenu() {
  const t = useMessages(kitMessages);
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="secondary">{t("menu")}</Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="start">
        <DropdownMenuLabel>{t("choices")}</DropdownMenuLabel>
        <DropdownMenuItem>
          <Phone aria-hidden />
          {t("one")}
        </DropdownMenuItem>
        <DropdownMenuItem>{t("long")}</DropdownMenuItem>
        <DropdownMenuSeparator />
        <DropdownMenuItem disabled>
          <Trash2 aria-hidden />
          {t("destructive")}
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

interface SampleDialogProps {
  returnFocusTo: RefObject<HTMLElement | null>;
  onClose: () => void;
}

/** A form with an invalid field. */
function SampleDialog({ returnFocusTo, onClose }: SampleDialogProps) {
  const t = useMessages(kitMessages);
  return (
    <FormDialog
      title={t("dialog")}
      description={t("long")}
      cancel={t("cancel")}
      action={t("act")}
      acting={t("busy")}
      isPending={false}
      onSubmit={onClose}
      onClose={onClose}
      returnFocusTo={returnFocusTo}
    >
      <Field label={t("name")} hint={t("hint")}>
        {(props) => <Input {...props} />}
      </Field>
      <Field label={t("value")} error={t("fault")}>
        {(props) => <Input {...props} />}
      </Field>
    </FormDialog>
  );
}
