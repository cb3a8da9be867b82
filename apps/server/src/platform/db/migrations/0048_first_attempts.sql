ALTER TABLE "leads" ADD COLUMN "first_attempt_at" timestamp with time zone;--> statement-breakpoint
-- What leads hold of their logged outbound calls, the first one included; `lead_calls` held it beside them.
CREATE FUNCTION recount_attempts(of_leads int[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- Leads go first: what is counted afterwards includes whatever this waited for, and a report, which holds its lead before it writes the
  -- log, never waits for one that waits for it.
  PERFORM 1 FROM leads WHERE id = ANY (of_leads) ORDER BY id FOR NO KEY UPDATE;
  UPDATE leads l SET attempts = coalesce(t.n, 0), first_attempt_at = t.first_at, last_attempt_at = t.call_date, last_attempt_outcome = t.outcome
  FROM (SELECT DISTINCT unnest(of_leads) AS id) k LEFT JOIN LATERAL (
    SELECT count(*) OVER () AS n, min(c.call_date) OVER () AS first_at, c.call_date, c.outcome FROM call_logs c
    WHERE c.lead_id = k.id AND c.direction = 'outbound'
    ORDER BY c.call_date DESC NULLS LAST, c.id DESC NULLS LAST LIMIT 1
  ) t ON true
  WHERE l.id = k.id AND (l.attempts, l.first_attempt_at, l.last_attempt_at, l.last_attempt_outcome)
    IS DISTINCT FROM (coalesce(t.n, 0)::int, t.first_at, t.call_date, t.outcome);
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION call_attempts_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM recount_attempts(array_agg(lead_id)) FROM added WHERE direction = 'outbound' AND lead_id IS NOT NULL;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION call_attempts_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM recount_attempts(CASE TG_OP WHEN 'DELETE' THEN array[OLD.lead_id] ELSE array[OLD.lead_id, NEW.lead_id] END);
  RETURN NULL;
END $$;
--> statement-breakpoint
DROP FUNCTION retell_attempts(int[]);--> statement-breakpoint
DROP TRIGGER call_logs_lead_calls_added ON call_logs;--> statement-breakpoint
DROP TRIGGER call_logs_lead_calls_changed ON call_logs;--> statement-breakpoint
DROP TRIGGER call_logs_lead_calls_deleted ON call_logs;--> statement-breakpoint
DROP FUNCTION lead_calls_added(), lead_calls_changed(), recount_lead_calls(int);--> statement-breakpoint
UPDATE leads l SET first_attempt_at = k.first_call_at FROM lead_calls k WHERE k.lead_id = l.id AND l.attempts > 0;--> statement-breakpoint
DROP TABLE "lead_calls";--> statement-breakpoint
DROP INDEX "leads_open_idx";--> statement-breakpoint
CREATE INDEX "leads_uncalled_idx" ON "leads" USING btree ("assigned_to","assigned_at","next_follow_up_date") WHERE "leads"."attempts" = 0 and "leads"."status" <> 'converted' and "leads"."assigned_to" is not null;--> statement-breakpoint
CREATE INDEX "leads_most_called_idx" ON "leads" USING btree ("attempts" DESC NULLS LAST,"last_attempt_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE "leads"."attempts" > 0;
