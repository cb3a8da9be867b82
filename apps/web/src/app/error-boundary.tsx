import { type LucideIcon, TriangleAlert } from "lucide-react";
import { Component, type ReactNode } from "react";
import { useSkeletonRemoval } from "../lib/document.ts";
import { defineMessages, useMessages } from "../lib/i18n.ts";
import { page } from "../lib/navigation.ts";
import { Button } from "../ui/button.tsx";

/** Messages that are needed before the user is known. */
export const appMessages = defineMessages("app", {
  unreachableTitle: ["The server cannot be reached", "No se puede conectar con el servidor"],
  unreachableText: [
    "Check your connection. Nothing you saved is lost.",
    "Revisa tu conexión. No se ha perdido nada de lo que guardaste.",
  ],
  brokenTitle: ["The server does not answer as it should", "El servidor no responde como debería"],
  brokenText: [
    "Try again in a moment. Nothing you saved is lost.",
    "Vuelve a intentarlo en un momento. No se ha perdido nada de lo que guardaste.",
  ],
  retry: ["Try again", "Reintentar"],
  crashedTitle: ["Something went wrong", "Algo salió mal"],
  crashedText: [
    "This page stopped working. Reloading usually helps.",
    "Esta página dejó de funcionar. Por lo general, basta con recargarla.",
  ],
  reload: ["Reload", "Recargar"],
});

interface State {
  crashed: boolean;
}

/** Catches errors of components, and missing chunks that a new release has replaced: reloading fixes the latter. */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { crashed: false };

  static getDerivedStateFromError(): State {
    return { crashed: true };
  }

  override render(): ReactNode {
    return this.state.crashed ? <Crashed /> : this.props.children;
  }
}

export function Crashed() {
  const t = useMessages(appMessages);
  return (
    <FullPageMessage icon={TriangleAlert} title={t("crashedTitle")} description={t("crashedText")}>
      <Button onClick={() => page.reload()}>{t("reload")}</Button>
    </FullPageMessage>
  );
}

interface FullPageMessageProps {
  icon: LucideIcon;
  title: string;
  description: string;
  children: ReactNode;
}

/** A message in place of the whole app, with possible actions. */
export function FullPageMessage({ icon: Icon, title, description, children }: FullPageMessageProps) {
  useSkeletonRemoval();
  return (
    <main className="grid min-h-dvh place-items-center p-6">
      <div className="grid max-w-sm place-items-center gap-4 text-center">
        <span className="grid size-12 place-items-center rounded-full bg-muted text-muted-foreground">
          <Icon aria-hidden className="size-6" />
        </span>
        <div className="grid gap-1">
          <h1 className="font-semibold text-xl">{title}</h1>
          <p className="text-muted-foreground">{description}</p>
        </div>
        {children}
      </div>
    </main>
  );
}
