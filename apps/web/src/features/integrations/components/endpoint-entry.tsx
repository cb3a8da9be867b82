import { Check, ChevronRight, Copy } from "lucide-react";
import { useState } from "react";
import { cn } from "../../../lib/cn.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { apiDocsMessages } from "../api-docs-messages.ts";
import { curlOf, type Endpoint, type Field } from "../read-openapi.ts";

const methodClasses: Record<string, string> = {
  GET: "bg-info-soft text-info-text",
  POST: "bg-success-soft text-success-text",
  PATCH: "bg-warning-soft text-warning-text",
  DELETE: "bg-danger-soft text-danger-text",
};

interface EndpointEntryProps {
  endpoint: Endpoint;
  baseUrl: string;
  /** Imports and webhooks require a key. */
  secured: boolean;
}

/** One endpoint: its summary, and when opened its fields and an example. */
export function EndpointEntry({ endpoint, baseUrl, secured }: EndpointEntryProps) {
  const t = useMessages(apiDocsMessages);
  const [open, setOpen] = useState(false);
  const { method, path, summary, access } = endpoint;
  return (
    <details className="group" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="flex cursor-pointer list-none flex-wrap items-center gap-x-3 gap-y-1 -outline-offset-2 px-4 py-3 hover:bg-muted/60 pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden
          className="size-4 shrink-0 text-muted-foreground transition-transform group-open:rotate-90"
        />
        <span
          className={cn(
            "w-16 shrink-0 rounded px-1.5 py-0.5 text-center font-semibold text-xs",
            methodClasses[method] ?? "bg-muted",
          )}
        >
          {method}
        </span>
        <code className="min-w-0 break-all font-medium text-[0.8125rem]">{path}</code>
        <span className="min-w-0 basis-full pl-7 text-muted-foreground text-sm sm:basis-auto sm:pl-0">
          {summary}
        </span>
        <Badge className="ml-7 sm:ml-auto">{t(access)}</Badge>
      </summary>
      {open ? (
        <div className="grid gap-4 border-t bg-background/60 px-4 py-4 text-sm sm:pl-11">
          {endpoint.description ? <p>{t("adminsOnly")}</p> : null}
          <Fields title={t("parameters")} fields={endpoint.parameters} asked />
          {endpoint.sample === undefined ? null : (
            <Fields title={t("body")} fields={endpoint.body} none={t("freeBody")} asked />
          )}
          <Fields title={t("answer")} fields={endpoint.answer} none={t("freeAnswer")} />
          <Example text={curlOf(endpoint, { baseUrl, secured })} />
        </div>
      ) : null}
    </details>
  );
}

interface FieldsProps {
  title: string;
  fields: readonly (Field & { place?: string })[];
  /** Shown without fields; if omitted nothing is. */
  none?: string;
  /** Fields of the request or response; required ones of a request are marked. */
  asked?: boolean;
}

function Fields({ title, fields, none, asked = false }: FieldsProps) {
  const t = useMessages(apiDocsMessages);
  if (fields.length === 0 && !none) return null;
  return (
    <section className="grid gap-1.5">
      <h3 className="font-semibold text-xs">{title}</h3>
      {fields.length === 0 ? (
        <p className="text-muted-foreground">{none}</p>
      ) : (
        <ul className="grid divide-y rounded-lg border bg-surface text-xs">
          {fields.map(({ name, type, required, note, place }) => (
            <li
              key={`${place ?? ""} ${name}`}
              className="grid gap-x-4 gap-y-0.5 break-words px-3 py-1.5 sm:grid-cols-[minmax(0,2fr)_minmax(0,2fr)_minmax(0,3fr)]"
            >
              <span>
                <code className="font-medium">{name}</code>
                {required && asked ? <span className="text-muted-foreground"> · {t("required")}</span> : null}
              </span>
              <code className="text-muted-foreground sm:text-foreground">{type}</code>
              <span className="text-muted-foreground empty:hidden">
                {[place === "path" || place === "query" ? t(`in_${place}`) : place, note]
                  .filter(Boolean)
                  .join(" · ")}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Example({ text }: { text: string }) {
  const t = useMessages(apiDocsMessages);
  const [copied, setCopied] = useState(false);
  return (
    <section className="grid gap-1.5">
      <div className="flex items-center justify-between gap-3">
        <h3 className="font-semibold text-xs">{t("example")}</h3>
        {/* Browsers provide no clipboard for plain http, except on localhost. */}
        {"clipboard" in navigator ? (
          <Button
            variant="ghost"
            size="sm"
            onClick={() =>
              void navigator.clipboard.writeText(text).then(
                () => setCopied(true),
                () => undefined,
              )
            }
          >
            {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
            {t(copied ? "copied" : "copy")}
          </Button>
        ) : null}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1). */}
      <pre tabIndex={0} className="max-h-80 overflow-auto rounded-lg border bg-surface p-3 text-xs leading-5">
        <code>{text}</code>
      </pre>
    </section>
  );
}
