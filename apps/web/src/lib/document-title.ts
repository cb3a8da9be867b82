import { useEffect } from "react";

export const PRODUCT_NAME = "Lead Desk";

/** Names the browser tab: 'Reports · Lead Desk'. */
export function useDocumentTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title ? `${title} · ${PRODUCT_NAME}` : PRODUCT_NAME;
  }, [title]);
}
