import type { CurrentUser } from "@portal/contract/entities/user";
import { limits } from "@portal/contract/limits";
import { ImageUp, Trash2 } from "lucide-react";
import { type ChangeEvent, type FormEvent, useRef, useState } from "react";
import { errorText } from "../../../lib/errors.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { Avatar } from "../../../ui/avatar.tsx";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { toast } from "../../../ui/toast.ts";
import { accountMessages } from "./messages.ts";
import { codeOf, profileChanges, profileOf, useUpdateProfile } from "./queries.ts";

interface ProfileFormProps {
  user: CurrentUser;
  onClose: () => void;
}

export function ProfileForm({ user, onClose }: ProfileFormProps) {
  const t = useMessages(accountMessages);
  const [values, setValues] = useState(() => profileOf(user));
  const [isReading, setReading] = useState(false);
  const update = useUpdateProfile();
  const code = codeOf(update.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReading) return;
    const changes = profileChanges(user, values);
    if (changes === null) toast({ title: t("noChangesTitle"), description: t("noChangesText") });
    else update.mutate(changes, { onSuccess: onClose });
  };

  return (
    <form noValidate onSubmit={submit} className="grid gap-4 px-5 py-5 sm:px-6">
      <PhotoField
        name={values.name}
        image={values.profileImage}
        error={code === "image_invalid" ? errorText(update.error) : undefined}
        onChange={(profileImage) => setValues((now) => ({ ...now, profileImage }))}
        onReading={setReading}
      />
      <NameEmailFields
        labels={{ name: t("fullName"), email: t("email") }}
        values={values}
        emailError={code === "email_taken" ? errorText(update.error) : undefined}
        onChange={(change) => setValues((now) => ({ ...now, ...change }))}
      />
      <Field
        label={t("phone")}
        hint={t("phoneHint")}
        error={code === "phone_invalid" ? errorText(update.error) : undefined}
      >
        {(control) => (
          <Input
            {...control}
            type="tel"
            autoComplete="tel"
            maxLength={limits.phoneMaxLength}
            placeholder={t("phonePlaceholder")}
            value={values.personalPhoneNumber}
            onChange={({ target }) => setValues((now) => ({ ...now, personalPhoneNumber: target.value }))}
          />
        )}
      </Field>
      <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
        <Button variant="secondary" onClick={onClose}>
          {t("cancel")}
        </Button>
        <Button type="submit" disabled={isReading} pending={update.isPending}>
          {t(update.isPending ? "saving" : "save")}
        </Button>
      </div>
    </form>
  );
}

interface NameEmailFieldsProps {
  labels: { name: string; email: string };
  values: { name: string; email: string };
  /** What is wrong with the email. */
  emailError: string | undefined;
  onChange: (change: { name?: string; email?: string }) => void;
}

/** Fields for the user's name and email. */
export function NameEmailFields({ labels, values, emailError, onChange }: NameEmailFieldsProps) {
  return (
    <>
      <Field label={labels.name}>
        {(control) => (
          <Input
            {...control}
            autoComplete="name"
            maxLength={limits.nameMaxLength}
            value={values.name}
            onChange={({ target }) => onChange({ name: target.value })}
          />
        )}
      </Field>
      <Field label={labels.email} error={emailError}>
        {(control) => (
          <Input
            {...control}
            type="email"
            autoComplete="email"
            maxLength={limits.emailMaxLength}
            value={values.email}
            onChange={({ target }) => onChange({ email: target.value })}
          />
        )}
      </Field>
    </>
  );
}

interface PhotoFieldProps {
  name: string;
  image: string | null;
  /** The server's refusal. */
  error?: string | undefined;
  onChange: (image: string | null) => void;
  /** Called when reading a chosen file begins and ends. */
  onReading: (isReading: boolean) => void;
}

/** The profile photo, chosen from a local file, shrunk here and saved by the form. */
function PhotoField({ name, image, error, onChange, onReading }: PhotoFieldProps) {
  const t = useMessages(accountMessages);
  const input = useRef<HTMLInputElement>(null);
  const [state, setState] = useState<"idle" | "reading" | "unreadable">("idle");

  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? [];
    // So that the same file can be chosen again.
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

const QUALITIES = [0.9, 0.75, 0.5, 0.3] as const;

/**
 * Shrinks a chosen picture to a data URL of a WebP, or of a JPEG if the browser cannot encode WebP. @throws if the browser cannot draw the
 * file.
 */
async function shrinkPhoto(file: File): Promise<string> {
  const canvas = await draw(file);
  for (const type of ["image/webp", "image/jpeg"]) {
    for (const quality of QUALITIES) {
      const blob = await encoded(canvas, type, quality);
      if (blob?.type === type && blob.size <= limits.photoMaxBytes) return dataUrlOf(blob);
    }
  }
  throw new Error("the picture cannot be made small enough");
}

/** Draws the picture upright and scaled to the maximum size; its metadata is dropped. */
async function draw(file: File): Promise<HTMLCanvasElement> {
  const picture = await createImageBitmap(file);
  const scale = Math.min(1, limits.photoPixels / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("no canvas");
  pen.imageSmoothingQuality = "high";
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return canvas;
}

function encoded(canvas: HTMLCanvasElement, type: string, quality: number): Promise<Blob | null> {
  return new Promise((resolve) => canvas.toBlob(resolve, type, quality));
}

function dataUrlOf(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}
