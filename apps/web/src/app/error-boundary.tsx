import { TriangleAlert } from "lucide-react";
import { Component, type ReactNode } from "react";
import { useTexts } from "../lib/i18n.ts";
import { page } from "../lib/navigation.ts";
import { Button } from "../ui/button.tsx";
import { FullPageMessage } from "./full-page-message.tsx";
import { appTexts } from "./texts.ts";

interface State {
  crashed: boolean;
}

/** Catches what a component throws, and a chunk that a new release has replaced: reloading mends the latter. */
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
  const t = useTexts(appTexts);
  return (
    <FullPageMessage icon={TriangleAlert} title={t("crashedTitle")} description={t("crashedText")}>
      <Button onClick={() => page.reload()}>{t("reload")}</Button>
    </FullPageMessage>
  );
}
