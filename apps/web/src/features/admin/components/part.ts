import type { AdminSearch } from "../admin-search.ts";

/** What a part of the panel is given: the address, and a way to change it. */
export interface PartProps {
  search: AdminSearch;
  onChange: (next: AdminSearch) => void;
}
