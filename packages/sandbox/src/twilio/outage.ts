/** A simulated outage of the portal: the next `count` webhooks whose URL contains `match` are lost. */
export interface OutageRule {
  /** A substring of the URL; if empty every URL matches. */
  match: string;
  count: number;
  /** The status in place of the response; null refuses the connection. */
  status: number | null;
  /** The portal receives the request, and its response is lost. */
  afterAct: boolean;
}

export const NO_OUTAGE: OutageRule = { match: "", count: 0, status: null, afterAct: false };

/** Simulated outages of the portal; in memory only. */
export class Outage {
  rule: OutageRule = { ...NO_OUTAGE };

  /** The rule by which the next request to this address is lost, or null. */
  take(url: string): OutageRule | null {
    if (this.rule.count <= 0 || !url.includes(this.rule.match)) return null;
    this.rule.count -= 1;
    return this.rule;
  }
}
