-- Logs that are written together are counted together: a statement counts all of its own.
CREATE FUNCTION call_logs_added() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE zone text := (SELECT time_zone FROM figure_state);
BEGIN
  INSERT INTO figure_changes (kind, day, user_id, label, n, amount)
  SELECT f.kind, a.clock::date, f.user_id, f.label, 1, f.amount
  FROM (SELECT *, call_date AT TIME ZONE zone AS clock FROM added) a,
    LATERAL (VALUES
      ('call', coalesce(a.user_id, 0), coalesce(a.outcome, ''), a.duration_seconds, true),
      ('call_hour', 0, extract(hour FROM a.clock)::int::text, 0, true),
      ('inbound_call', coalesce(a.user_id, 0), '', 0, a.direction = 'inbound'),
      ('answered_hour', 0, extract(hour FROM a.clock)::int::text, 0, a.outcome = 'answered')
    ) f(kind, user_id, label, amount, counts)
  WHERE f.counts;
  INSERT INTO lead_calls AS k (lead_id, calls, first_call_at, last_call_at)
  SELECT lead_id, count(*), min(call_date), max(call_date) FROM added
  WHERE direction = 'outbound' AND lead_id IS NOT NULL GROUP BY lead_id ORDER BY lead_id
  ON CONFLICT (lead_id) DO UPDATE SET calls = k.calls + excluded.calls,
    first_call_at = least(k.first_call_at, excluded.first_call_at),
    last_call_at = greatest(k.last_call_at, excluded.last_call_at);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER call_logs_added AFTER INSERT ON call_logs REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION call_logs_added();
--> statement-breakpoint
DROP TRIGGER call_logs_counted ON call_logs;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION call_logs_counted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_call_log(OLD, -1);
  IF TG_OP = 'DELETE' THEN
    PERFORM recount_lead_calls(OLD.lead_id);
    RETURN NULL;
  END IF;
  PERFORM count_call_log(NEW, 1);
  IF (OLD.lead_id, OLD.direction, OLD.call_date) IS DISTINCT FROM (NEW.lead_id, NEW.direction, NEW.call_date) THEN
    PERFORM recount_lead_calls(OLD.lead_id);
    PERFORM recount_lead_calls(NEW.lead_id);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER call_logs_counted AFTER DELETE ON call_logs FOR EACH ROW EXECUTE FUNCTION call_logs_counted();
