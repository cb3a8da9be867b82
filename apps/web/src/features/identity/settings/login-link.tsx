import { limits } from "@portal/contract/limits";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, type RefObject, useRef, useState } from "react";
import { useMessages } from "../../../lib/i18n.ts";
import { settingsQuery } from "../../../lib/shared-queries.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog, DialogBody, DialogFooter } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { settingsMessages } from "./messages.ts";
import { useUnlinkProvider } from "./queries.ts";

/** Whether the account is linked to the login provider, and a button to unlink it; nothing without a provider. */
export function LoginLink() {
  const t = useMessages(settingsMessages);
  const { data: settings } = useQuery(settingsQuery());
  const [asks, setAsks] = useState(false);
  const title = useRef<HTMLHeadingElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const returnTo = {
    // The button disappears with the link.
    get current() {
      return opener.current ?? title.current;
    },
  };
  const provider = settings?.signIn.provider;
  if (!provider) return null;
  const { name, linked, canUnlink } = provider;
  return (
    <section className="grid gap-3">
      <h3 ref={title} tabIndex={-1} className="font-semibold outline-none">
        {t("loginLink")}
      </h3>
      <p className="text-muted-foreground text-sm">
        {t(linked ? "loginLinkText" : "loginLinkNone", { name })}
        {linked && !canUnlink ? ` ${t("loginLinkKept")}` : null}
      </p>
      {canUnlink ? (
        <Button
          ref={opener}
          variant="secondary"
          size="sm"
          className="justify-self-start"
          onClick={() => setAsks(true)}
        >
          {t("unlink")}
        </Button>
      ) : null}
      {asks ? <UnlinkDialog name={name} returnFocusTo={returnTo} onClose={() => setAsks(false)} /> : null}
    </section>
  );
}

interface UnlinkDialogProps {
  name: string;
  returnFocusTo: RefObject<HTMLElement | null>;
  onClose: () => void;
}

/** Asks for the password that the account uses from then on. */
function UnlinkDialog({ name, returnFocusTo, onClose }: UnlinkDialogProps) {
  const t = useMessages(settingsMessages);
  const [password, setPassword] = useState("");
  const unlink = useUnlinkProvider();

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (password !== "" && !unlink.isPending) unlink.mutate(password, { onSuccess: onClose });
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("unlinkTitle", { name })}
      description={t("unlinkText", { name })}
      returnFocusTo={returnFocusTo}
      className="max-w-md"
    >
      <form noValidate onSubmit={submit} className="contents">
        <DialogBody>
          <Field label={t("unlinkPassword")}>
            {(control) => (
              <Input
                {...control}
                type="password"
                autoComplete="current-password"
                maxLength={limits.passwordMaxLength}
                value={password}
                onChange={(event) => setPassword(event.target.value)}
              />
            )}
          </Field>
        </DialogBody>
        <DialogFooter>
          <Button variant="secondary" onClick={onClose}>
            {t("unlinkCancel")}
          </Button>
          <Button type="submit" variant="destructive" pending={unlink.isPending} disabled={password === ""}>
            {t(unlink.isPending ? "unlinking" : "unlink")}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
