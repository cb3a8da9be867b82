ALTER TABLE "dialer_sessions" ADD COLUMN "include_tried" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "attempts" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "last_attempt_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "last_attempt_outcome" text;--> statement-breakpoint
-- What leads tell of their attempts, from the logs. Leads go first: what is counted afterwards includes whatever this waited for, and a
-- report, which holds its lead before it writes the log, never waits for one that waits for it.
CREATE FUNCTION retell_attempts(of_leads int[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM leads WHERE id = ANY (of_leads) ORDER BY id FOR NO KEY UPDATE;
  UPDATE leads l SET attempts = coalesce(t.n, 0), last_attempt_at = t.call_date, last_attempt_outcome = t.outcome
  FROM (SELECT DISTINCT unnest(of_leads) AS id) k LEFT JOIN LATERAL (
    SELECT count(*) OVER () AS n, c.call_date, c.outcome FROM call_logs c
    WHERE c.lead_id = k.id AND c.direction = 'outbound'
    ORDER BY c.call_date DESC NULLS LAST, c.id DESC NULLS LAST LIMIT 1
  ) t ON true
  WHERE l.id = k.id AND (l.attempts, l.last_attempt_at, l.last_attempt_outcome)
    IS DISTINCT FROM (coalesce(t.n, 0)::int, t.call_date, t.outcome);
END $$;
--> statement-breakpoint
CREATE FUNCTION call_attempts_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM retell_attempts(array_agg(lead_id)) FROM added WHERE direction = 'outbound' AND lead_id IS NOT NULL;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- Triggers of one table run by their names: this one before the one that counts `lead_calls`.
CREATE TRIGGER call_attempts_added AFTER INSERT ON call_logs REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION call_attempts_added();
--> statement-breakpoint
CREATE FUNCTION call_attempts_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM retell_attempts(CASE TG_OP WHEN 'DELETE' THEN array[OLD.lead_id] ELSE array[OLD.lead_id, NEW.lead_id] END);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER call_attempts_changed AFTER UPDATE ON call_logs FOR EACH ROW
WHEN ((OLD.lead_id, OLD.outcome, OLD.call_date, OLD.direction)
  IS DISTINCT FROM (NEW.lead_id, NEW.outcome, NEW.call_date, NEW.direction)
  AND 'outbound' IN (OLD.direction, NEW.direction))
EXECUTE FUNCTION call_attempts_changed();
--> statement-breakpoint
CREATE TRIGGER call_attempts_deleted AFTER DELETE ON call_logs FOR EACH ROW EXECUTE FUNCTION call_attempts_changed();
--> statement-breakpoint
UPDATE leads l SET attempts = t.n, last_attempt_at = t.call_date, last_attempt_outcome = t.outcome
FROM (
  SELECT DISTINCT ON (lead_id) lead_id, call_date, outcome, count(*) OVER (PARTITION BY lead_id)::int AS n
  FROM call_logs WHERE direction = 'outbound' AND lead_id IS NOT NULL
  ORDER BY lead_id, call_date DESC NULLS LAST, id DESC NULLS LAST
) t
WHERE t.lead_id = l.id;
