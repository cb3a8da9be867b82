import { useNavigate, useSearch } from "@tanstack/react-router";
import type { LeadFilters } from "./lead-filters.ts";

/** The filters in the address, and the way to change them. Typing replaces the address, picking adds a step for Back. */
export function useLeadFilters() {
  const filters: LeadFilters = useSearch({ strict: false });
  const navigate = useNavigate();
  function change(next: LeadFilters, { replace = false }: { replace?: boolean } = {}): void {
    void navigate({ to: ".", search: next, replace, resetScroll: false });
  }
  return { filters, change };
}
