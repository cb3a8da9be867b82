import { ImageUp, Trash2 } from "lucide-react";
import { type ChangeEvent, useRef, useState } from "react";
import { useTexts } from "../../../lib/i18n.ts";
import { Avatar } from "../../../ui/avatar.tsx";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { shrinkPhoto } from "../shrink-photo.ts";
import { accountTexts } from "../texts.ts";

interface PhotoFieldProps {
  name: string;
  image: string | null;
  /** The server's refusal. */
  error?: string | undefined;
  onChange: (image: string | null) => void;
  /** Told while a chosen file is read. */
  onReading: (isReading: boolean) => void;
}

/** The profile photo, chosen from a local image file (specification §2). Made small here, kept with Save. */
export function PhotoField({ name, image, error, onChange, onReading }: PhotoFieldProps) {
  const t = useTexts(accountTexts);
  const input = useRef<HTMLInputElement>(null);
  const [state, setState] = useState<"idle" | "reading" | "unreadable">("idle");

  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? [];
    // The same file can be chosen again.
    target.value = "";
    if (!file) return;
    setState("reading");
    onReading(true);
    try {
      onChange(await shrinkPhoto(file));
      setState("idle");
    } catch {
      setState("unreadable");
    } finally {
      onReading(false);
    }
  };
  const remove = () => {
    setState("idle");
    onChange(null);
    input.current?.focus();
  };

  return (
    <Field
      label={t("photo")}
      hint={t("photoHint")}
      error={state === "unreadable" ? t("photoUnreadable") : error}
    >
      {(control) => (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Avatar name={name} image={image} className="size-16 text-xl" />
          <div className="flex flex-wrap gap-2">
            <span className="relative inline-flex rounded-md focus-within:outline-2 focus-within:outline-ring focus-within:outline-offset-2">
              <input
                {...control}
                ref={input}
                type="file"
                accept="image/*"
                onChange={(event) => void choose(event)}
                className="absolute inset-0 z-10 size-full cursor-pointer opacity-0 file:cursor-pointer"
              />
              <Button variant="secondary" aria-hidden tabIndex={-1} pending={state === "reading"}>
                <ImageUp aria-hidden />
                {t(image ? "changePhoto" : "choosePhoto")}
              </Button>
            </span>
            {image ? (
              <Button variant="ghost" onClick={remove}>
                <Trash2 aria-hidden />
                {t("removePhoto")}
              </Button>
            ) : null}
          </div>
        </div>
      )}
    </Field>
  );
}
