import { leadOf, leadPanel, leadParameter, openLead } from "./lead-panel.ts";

/** Closes the panel, as Back does. */
export function closeLead(): void {
  const { router } = leadPanel;
  if (!router) return;
  if (router.state.location.state.leadOpenedFrom) {
    router.history.back();
    return;
  }
  void router.navigate({
    to: ".",
    search: (now: object) => ({ ...now, [leadParameter]: undefined }),
    replace: true,
    resetScroll: false,
  });
}

/** The names of the page that open panels, in the order in which they are read. */
function leadLinks(): HTMLElement[] {
  const links = [...document.querySelectorAll<HTMLElement>("main a[data-lead-link]")];
  const places = new Map(links.map((link) => [link, link.getBoundingClientRect()]));
  return links
    .filter((link) => link.checkVisibility?.() ?? true)
    .sort((a, b) => {
      const [one, other] = [places.get(a), places.get(b)];
      return (one?.top ?? 0) - (other?.top ?? 0) || (one?.left ?? 0) - (other?.left ?? 0);
    });
}

/** Goes on to the next lead of the page (1), or back to the one before (-1). Says whether there was one. */
export function stepLead(by: 1 | -1): boolean {
  const id = leadPanel.router ? leadOf(leadPanel.router.state.location.search) : null;
  if (id === null) return false;
  const links = by === 1 ? leadLinks() : leadLinks().toReversed();
  const isOpenOne = ({ dataset }: HTMLElement) => dataset.leadLink === String(id);
  // A lead may stand on the page more than once: one goes on from where one pressed.
  const pressed = links.findIndex((link) => link === leadPanel.opener && isOpenOne(link));
  const from = pressed === -1 ? links.findIndex(isOpenOne) : pressed;
  const next = links.slice(from + 1).find((link) => !isOpenOne(link));
  if (!next) return false;
  next.scrollIntoView?.({ block: "nearest" });
  openLead(Number(next.dataset.leadLink), next);
  return true;
}

/** Gives the focus back to the name of the lead whose panel was closed; to what opened it, or to the page's heading, where that is gone. */
export function focusLeadLink(id: number): void {
  const isOf = ({ dataset }: HTMLElement) => dataset.leadLink === String(id);
  const { opener } = leadPanel;
  const hasOpener = opener?.isConnected && (opener.dataset.leadLink === undefined || isOf(opener));
  const target = hasOpener ? opener : leadLinks().find(isOf);
  leadPanel.opener = null;
  if (target) target.focus({ preventScroll: true });
  else document.querySelector<HTMLElement>("main h1, main")?.focus({ preventScroll: true });
}
