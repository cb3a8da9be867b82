/** How the portal does not answer: the next `count` webhooks whose URL holds `match` are lost. */
export interface OutageRule {
  /** A part of the URL; every one when empty. */
  match: string;
  count: number;
  /** What is answered in its place; null: nothing takes the connection. */
  status: number | null;
  /** The portal is asked all the same, and its answer is lost. */
  afterAct: boolean;
}

export const NO_OUTAGE: OutageRule = { match: "", count: 0, status: null, afterAct: false };

/** A portal that does not answer, on demand; kept in memory. */
export class Outage {
  rule: OutageRule = { ...NO_OUTAGE };

  /** The rule where the next request to this address is lost by it. */
  take(url: string): OutageRule | null {
    if (this.rule.count <= 0 || !url.includes(this.rule.match)) return null;
    this.rule.count -= 1;
    return this.rule;
  }
}
