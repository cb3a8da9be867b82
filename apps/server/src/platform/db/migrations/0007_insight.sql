CREATE TABLE "figure_changes" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"day" date NOT NULL,
	"user_id" integer DEFAULT 0 NOT NULL,
	"label" text DEFAULT '' NOT NULL,
	"n" bigint NOT NULL,
	"amount" numeric(20, 2) DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "figure_state" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"time_zone" text NOT NULL,
	"counted_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "figure_state_one" CHECK ("figure_state"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "figures" (
	"kind" text NOT NULL,
	"day" date NOT NULL,
	"user_id" integer DEFAULT 0 NOT NULL,
	"label" text DEFAULT '' NOT NULL,
	"n" bigint NOT NULL,
	"amount" numeric(20, 2) DEFAULT 0 NOT NULL,
	CONSTRAINT "figures_key" PRIMARY KEY("kind","day","user_id","label")
);
--> statement-breakpoint
CREATE TABLE "lead_calls" (
	"lead_id" integer PRIMARY KEY NOT NULL,
	"calls" integer NOT NULL,
	"first_call_at" timestamp with time zone NOT NULL,
	"last_call_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "lead_calls" ADD CONSTRAINT "lead_calls_lead_id_leads_id_fk" FOREIGN KEY ("lead_id") REFERENCES "public"."leads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "lead_calls_most_idx" ON "lead_calls" USING btree ("calls" DESC NULLS LAST,"last_call_at" DESC NULLS LAST,"lead_id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "leads_name_idx" ON "leads" USING btree (lower(left("name", 200)),"id");--> statement-breakpoint
CREATE INDEX "leads_unassigned_idx" ON "leads" USING btree ("created_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE "leads"."assigned_to" is null;--> statement-breakpoint
CREATE INDEX "leads_converted_idx" ON "leads" USING btree ("converted_at" DESC NULLS LAST) WHERE "leads"."converted_at" is not null;--> statement-breakpoint
CREATE INDEX "messages_created_idx" ON "messages" USING btree ("created_at");--> statement-breakpoint
INSERT INTO "figure_state" ("time_zone") VALUES ('UTC');
--> statement-breakpoint
-- What is true now: what is added up, and the changes since.
CREATE VIEW "current_figures" AS
SELECT "kind", "day", "user_id", "label", "n", "amount" FROM "figures"
UNION ALL
SELECT "kind", "day", "user_id", "label", "n", "amount" FROM "figure_changes";
--> statement-breakpoint
CREATE FUNCTION figure_clock(at timestamptz) RETURNS timestamp LANGUAGE sql STABLE AS $$
  SELECT at AT TIME ZONE (SELECT time_zone FROM figure_state)
$$;
--> statement-breakpoint
-- Counts a call log in (1) or out (-1).
CREATE FUNCTION count_call_log(log call_logs, sign int) RETURNS void LANGUAGE plpgsql AS $$
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
  IF log.outcome = 'answered' THEN
    INSERT INTO figure_changes (kind, day, label, n) VALUES ('answered_hour', clock::date, hour, sign);
  END IF;
END $$;
--> statement-breakpoint
-- Calls of a lead, from the rows.
CREATE FUNCTION recount_lead_calls(of_lead int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- What is counted afterwards includes whatever this waited for.
  PERFORM 1 FROM lead_calls WHERE lead_id = of_lead FOR UPDATE;
  INSERT INTO lead_calls (lead_id, calls, first_call_at, last_call_at)
  SELECT lead_id, count(*), min(call_date), max(call_date) FROM call_logs
  WHERE lead_id = of_lead AND direction = 'outbound' GROUP BY lead_id
  ON CONFLICT (lead_id) DO UPDATE SET calls = excluded.calls,
    first_call_at = excluded.first_call_at, last_call_at = excluded.last_call_at;
  IF NOT FOUND THEN DELETE FROM lead_calls WHERE lead_id = of_lead; END IF;
END $$;
--> statement-breakpoint
-- What a lead that was called so often counts as.
CREATE FUNCTION calls_label(calls int) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN calls > 2 THEN '3+' ELSE calls::text END
$$;
--> statement-breakpoint
CREATE FUNCTION lead_calls_counted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO figure_changes (kind, day, label, n, amount)
    SELECT 'lead_calls', '0001-01-01', calls_label(calls), -count(*), -sum(calls) FROM gone GROUP BY 3;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO figure_changes (kind, day, label, n, amount)
    SELECT 'lead_calls', '0001-01-01', calls_label(calls), count(*), sum(calls) FROM added GROUP BY 3;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER lead_calls_counted AFTER INSERT ON lead_calls REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION lead_calls_counted();
--> statement-breakpoint
CREATE TRIGGER lead_calls_recounted AFTER UPDATE ON lead_calls REFERENCING OLD TABLE AS gone NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION lead_calls_counted();
--> statement-breakpoint
CREATE TRIGGER lead_calls_discounted AFTER DELETE ON lead_calls REFERENCING OLD TABLE AS gone
FOR EACH STATEMENT EXECUTE FUNCTION lead_calls_counted();
--> statement-breakpoint
CREATE FUNCTION call_logs_counted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN PERFORM count_call_log(OLD, -1); END IF;
  IF TG_OP <> 'DELETE' THEN PERFORM count_call_log(NEW, 1); END IF;
  IF TG_OP = 'INSERT' THEN
    IF NEW.direction = 'outbound' AND NEW.lead_id IS NOT NULL THEN
      INSERT INTO lead_calls AS k (lead_id, calls, first_call_at, last_call_at)
      VALUES (NEW.lead_id, 1, NEW.call_date, NEW.call_date)
      ON CONFLICT (lead_id) DO UPDATE SET calls = k.calls + 1,
        first_call_at = least(k.first_call_at, excluded.first_call_at),
        last_call_at = greatest(k.last_call_at, excluded.last_call_at);
    END IF;
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM recount_lead_calls(OLD.lead_id);
  ELSIF (OLD.lead_id, OLD.direction, OLD.call_date) IS DISTINCT FROM (NEW.lead_id, NEW.direction, NEW.call_date) THEN
    PERFORM recount_lead_calls(OLD.lead_id);
    PERFORM recount_lead_calls(NEW.lead_id);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER call_logs_counted AFTER INSERT OR DELETE ON call_logs
FOR EACH ROW EXECUTE FUNCTION call_logs_counted();
--> statement-breakpoint
CREATE TRIGGER call_logs_recounted AFTER UPDATE ON call_logs FOR EACH ROW
WHEN ((OLD.lead_id, OLD.user_id, OLD.outcome, OLD.duration_seconds, OLD.call_date, OLD.direction)
  IS DISTINCT FROM (NEW.lead_id, NEW.user_id, NEW.outcome, NEW.duration_seconds, NEW.call_date, NEW.direction))
EXECUTE FUNCTION call_logs_counted();
--> statement-breakpoint
-- What a text counts as; a text that did not go out counts as none.
CREATE FUNCTION text_label(direction text, status text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN direction = 'outbound' AND status IN ('failed', 'undelivered') THEN NULL ELSE direction END
$$;
--> statement-breakpoint
CREATE FUNCTION messages_counted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO figure_changes (kind, day, user_id, label, n)
    SELECT 'text', figure_clock(OLD.created_at)::date, coalesce(OLD.user_id, 0), l, -1
    FROM text_label(OLD.direction, OLD.status) l WHERE l IS NOT NULL;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO figure_changes (kind, day, user_id, label, n)
    SELECT 'text', figure_clock(NEW.created_at)::date, coalesce(NEW.user_id, 0), l, 1
    FROM text_label(NEW.direction, NEW.status) l WHERE l IS NOT NULL;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER messages_counted AFTER INSERT OR DELETE ON messages
FOR EACH ROW EXECUTE FUNCTION messages_counted();
--> statement-breakpoint
CREATE TRIGGER messages_recounted AFTER UPDATE ON messages FOR EACH ROW
WHEN ((OLD.user_id, text_label(OLD.direction, OLD.status), OLD.created_at)
  IS DISTINCT FROM (NEW.user_id, text_label(NEW.direction, NEW.status), NEW.created_at))
EXECUTE FUNCTION messages_counted();
--> statement-breakpoint
CREATE FUNCTION clients_counted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO figure_changes (kind, day, user_id, n, amount)
    VALUES ('conversion', figure_clock(OLD.converted_at)::date, OLD.converted_by, -1, -OLD.conversion_value);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO figure_changes (kind, day, user_id, n, amount)
    VALUES ('conversion', figure_clock(NEW.converted_at)::date, NEW.converted_by, 1, NEW.conversion_value);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER clients_counted AFTER INSERT OR UPDATE OR DELETE ON clients
FOR EACH ROW EXECUTE FUNCTION clients_counted();
--> statement-breakpoint
-- Leads come in by the thousand: counted by the statement, not by the row.
CREATE FUNCTION leads_counted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO figure_changes (kind, day, user_id, label, n)
  SELECT 'lead', figure_clock(created_at)::date, 0, status, count(*) FROM added GROUP BY 2, 4
  UNION ALL
  SELECT 'lead_source', figure_clock(created_at)::date, 0, left(coalesce(lead_source, ''), 200), count(*) FROM added GROUP BY 2, 4
  UNION ALL
  SELECT 'lead_owner', '0001-01-01'::date, coalesce(assigned_to, 0), status, count(*) FROM added GROUP BY 3, 4;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER leads_counted AFTER INSERT ON leads REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION leads_counted();
--> statement-breakpoint
CREATE FUNCTION count_lead(lead leads, sign int) RETURNS void LANGUAGE sql AS $$
  INSERT INTO figure_changes (kind, day, user_id, label, n)
  VALUES ('lead', figure_clock(lead.created_at)::date, 0, lead.status, sign),
    ('lead_source', figure_clock(lead.created_at)::date, 0, left(coalesce(lead.lead_source, ''), 200), sign),
    ('lead_owner', '0001-01-01', coalesce(lead.assigned_to, 0), lead.status, sign)
$$;
--> statement-breakpoint
CREATE FUNCTION leads_recounted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_lead(OLD, -1);
  IF TG_OP = 'UPDATE' THEN PERFORM count_lead(NEW, 1); END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER leads_recounted AFTER UPDATE ON leads FOR EACH ROW
WHEN ((OLD.status, OLD.assigned_to, OLD.lead_source, OLD.created_at)
  IS DISTINCT FROM (NEW.status, NEW.assigned_to, NEW.lead_source, NEW.created_at))
EXECUTE FUNCTION leads_recounted();
--> statement-breakpoint
CREATE TRIGGER leads_discounted AFTER DELETE ON leads
FOR EACH ROW EXECUTE FUNCTION leads_recounted();
--> statement-breakpoint
-- Adds changes up, the oldest first, at most so many; answers how many. One process at a time.
CREATE FUNCTION add_up_figures(at_most int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE added int;
BEGIN
  IF NOT pg_try_advisory_xact_lock(4702011) THEN RETURN 0; END IF;
  WITH gone AS (
    DELETE FROM figure_changes WHERE id IN (SELECT id FROM figure_changes ORDER BY id LIMIT at_most)
    RETURNING kind, day, user_id, label, n, amount
  ), summed AS (
    INSERT INTO figures AS f (kind, day, user_id, label, n, amount)
    SELECT kind, day, user_id, label, sum(n), sum(amount) FROM gone GROUP BY 1, 2, 3, 4
    HAVING sum(n) <> 0 OR sum(amount) <> 0
    ON CONFLICT (kind, day, user_id, label) DO UPDATE SET n = f.n + excluded.n, amount = f.amount + excluded.amount
  )
  SELECT count(*) INTO added FROM gone;
  RETURN added;
END $$;
--> statement-breakpoint
-- Counts everything anew from the rows, in the days of a zone; writers wait meanwhile.
CREATE FUNCTION recount_figures(zone text) RETURNS void LANGUAGE plpgsql AS $$
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
SELECT recount_figures('UTC');
