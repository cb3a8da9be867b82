import { useEffect, useRef } from "react";
import { defineMessages, useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";

const moreLeadsMessages = defineMessages("more-leads", {
  loadMore: ["Load more leads", "Cargar más prospectos"],
  loadingMore: ["Loading more leads…", "Cargando más prospectos…"],
  moreFailed: ["More leads could not be loaded.", "No se pudieron cargar más prospectos."],
  retry: ["Retry", "Reintentar"],
});

interface MoreLeadsProps {
  loading: boolean;
  failed: boolean;
  onMore: () => void;
}

/** Loads the next page when it comes near the viewport, or is pressed. */
export default function MoreLeads({ loading, failed, onMore }: MoreLeadsProps) {
  const t = useMessages(moreLeadsMessages);
  const edge = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!edge.current || loading || failed || typeof IntersectionObserver === "undefined") return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) onMore();
      },
      { rootMargin: "800px" },
    );
    observer.observe(edge.current);
    return () => observer.disconnect();
  }, [loading, failed, onMore]);
  return (
    <div ref={edge} className="grid justify-items-center gap-2 py-2">
      {failed ? (
        <p role="alert" className="text-danger-text text-sm">
          {t("moreFailed")}
        </p>
      ) : null}
      <Button variant="secondary" pending={loading} onClick={onMore}>
        {loading ? t("loadingMore") : failed ? t("retry") : t("loadMore")}
      </Button>
    </div>
  );
}
