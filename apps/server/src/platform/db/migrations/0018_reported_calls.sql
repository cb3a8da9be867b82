ALTER TABLE "call_logs" ADD COLUMN "reported_seconds" integer;
--> statement-breakpoint
-- What only a rep said is no talk time: logs that the portal made no call of, and calls of which the provider told no time. The figures
-- are counted anew below, once for all rows.
DROP TRIGGER "call_logs_recounted" ON "call_logs";
--> statement-breakpoint
UPDATE "call_logs" SET "reported_seconds" = "duration_seconds", "duration_seconds" = 0
WHERE "call_id" IS NULL AND "inbound_call_id" IS NULL
  OR "call_id" IN (SELECT "id" FROM "calls" WHERE "talk_seconds" IS NULL) AND "duration_seconds" > 0;
--> statement-breakpoint
CREATE TRIGGER call_logs_recounted AFTER UPDATE ON call_logs FOR EACH ROW
WHEN ((OLD.lead_id, OLD.user_id, OLD.outcome, OLD.duration_seconds, OLD.reported_seconds, OLD.call_date, OLD.direction)
  IS DISTINCT FROM (NEW.lead_id, NEW.user_id, NEW.outcome, NEW.duration_seconds, NEW.reported_seconds, NEW.call_date, NEW.direction))
EXECUTE FUNCTION call_logs_counted();
--> statement-breakpoint
CREATE UNIQUE INDEX "call_logs_report_key" ON "call_logs" USING btree ("call_sid","user_id","lead_id") WHERE "call_logs"."call_sid" is not null and "call_logs"."call_id" is null and "call_logs"."inbound_call_id" is null;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION count_call_log(log call_logs, sign int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE clock timestamp := figure_clock(log.call_date);
DECLARE hour text := extract(hour FROM clock)::int::text;
BEGIN
  INSERT INTO figure_changes (kind, day, user_id, label, n, amount)
  VALUES ('call', clock::date, coalesce(log.user_id, 0), coalesce(log.outcome, ''), sign, sign * log.duration_seconds),
    ('call_hour', clock::date, 0, hour, sign, 0);
  IF log.direction = 'inbound' THEN
    INSERT INTO figure_changes (kind, day, user_id, n)
    VALUES ('inbound_call', clock::date, coalesce(log.user_id, 0), sign);
  END IF;
  IF log.reported_seconds IS NOT NULL THEN
    INSERT INTO figure_changes (kind, day, user_id, label, n)
    VALUES ('reported_call', clock::date, coalesce(log.user_id, 0), coalesce(log.outcome, ''), sign);
  END IF;
  IF log.outcome = 'answered' THEN
    INSERT INTO figure_changes (kind, day, label, n) VALUES ('answered_hour', clock::date, hour, sign);
  END IF;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION call_logs_added() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE zone text := (SELECT time_zone FROM figure_state);
BEGIN
  INSERT INTO figure_changes (kind, day, user_id, label, n, amount)
  SELECT f.kind, a.clock::date, f.user_id, f.label, 1, f.amount
  FROM (SELECT *, call_date AT TIME ZONE zone AS clock FROM added) a,
    LATERAL (VALUES
      ('call', coalesce(a.user_id, 0), coalesce(a.outcome, ''), a.duration_seconds, true),
      ('call_hour', 0, extract(hour FROM a.clock)::int::text, 0, true),
      ('reported_call', coalesce(a.user_id, 0), coalesce(a.outcome, ''), 0, a.reported_seconds IS NOT NULL),
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
CREATE OR REPLACE FUNCTION recount_figures(zone text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(4702011);
  LOCK TABLE leads, clients, call_logs, messages IN SHARE ROW EXCLUSIVE MODE;
  -- Also what the triggers say of this first statement is forgotten.
  DELETE FROM lead_calls;
  DELETE FROM figures;
  DELETE FROM figure_changes;
  UPDATE figure_state SET time_zone = zone, counted_at = now();
  INSERT INTO figures (kind, day, user_id, label, n, amount)
  SELECT 'call', (call_date AT TIME ZONE zone)::date, coalesce(user_id, 0), coalesce(outcome, ''), count(*), sum(duration_seconds)
    FROM call_logs GROUP BY 2, 3, 4
  UNION ALL
  SELECT 'inbound_call', (call_date AT TIME ZONE zone)::date, coalesce(user_id, 0), '', count(*), 0
    FROM call_logs WHERE direction = 'inbound' GROUP BY 2, 3
  UNION ALL
  SELECT 'reported_call', (call_date AT TIME ZONE zone)::date, coalesce(user_id, 0), coalesce(outcome, ''), count(*), 0
    FROM call_logs WHERE reported_seconds IS NOT NULL GROUP BY 2, 3, 4
  UNION ALL
  SELECT k, (call_date AT TIME ZONE zone)::date, 0, extract(hour FROM call_date AT TIME ZONE zone)::int::text, count(*), 0
    FROM call_logs, unnest(array['call_hour', 'answered_hour']) k
    WHERE k = 'call_hour' OR outcome = 'answered' GROUP BY 1, 2, 4
  UNION ALL
  SELECT 'text', (created_at AT TIME ZONE zone)::date, coalesce(user_id, 0), text_label(direction, status), count(*), 0
    FROM messages WHERE text_label(direction, status) IS NOT NULL GROUP BY 2, 3, 4
  UNION ALL
  SELECT 'conversion', (converted_at AT TIME ZONE zone)::date, converted_by, '', count(*), sum(conversion_value)
    FROM clients GROUP BY 2, 3
  UNION ALL
  SELECT 'lead', (created_at AT TIME ZONE zone)::date, 0, status, count(*), 0 FROM leads GROUP BY 2, 4
  UNION ALL
  SELECT 'lead_source', (created_at AT TIME ZONE zone)::date, 0, left(coalesce(lead_source, ''), 200), count(*), 0
    FROM leads GROUP BY 2, 4
  UNION ALL
  SELECT 'lead_owner', '0001-01-01'::date, coalesce(assigned_to, 0), status, count(*), 0 FROM leads GROUP BY 3, 4;
  INSERT INTO lead_calls (lead_id, calls, first_call_at, last_call_at)
  SELECT lead_id, count(*), min(call_date), max(call_date) FROM call_logs
    WHERE direction = 'outbound' AND lead_id IS NOT NULL GROUP BY lead_id;
END $$;
--> statement-breakpoint
SELECT recount_figures((SELECT "time_zone" FROM "figure_state"));
