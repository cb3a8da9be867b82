DROP VIEW "current_figures";--> statement-breakpoint
DROP TRIGGER "lead_calls_counted" ON "lead_calls";--> statement-breakpoint
DROP TRIGGER "lead_calls_recounted" ON "lead_calls";--> statement-breakpoint
DROP TRIGGER "lead_calls_discounted" ON "lead_calls";--> statement-breakpoint
DROP TRIGGER "call_logs_added" ON "call_logs";--> statement-breakpoint
DROP TRIGGER "call_logs_counted" ON "call_logs";--> statement-breakpoint
DROP TRIGGER "call_logs_recounted" ON "call_logs";--> statement-breakpoint
DROP TRIGGER "messages_counted" ON "messages";--> statement-breakpoint
DROP TRIGGER "messages_recounted" ON "messages";--> statement-breakpoint
DROP TRIGGER "clients_counted" ON "clients";--> statement-breakpoint
DROP TRIGGER "leads_counted" ON "leads";--> statement-breakpoint
DROP TRIGGER "leads_recounted" ON "leads";--> statement-breakpoint
DROP TRIGGER "leads_discounted" ON "leads";--> statement-breakpoint
DROP FUNCTION lead_calls_counted, call_logs_added, call_logs_counted, messages_counted, clients_counted, leads_counted, leads_recounted,
  count_call_log, count_lead, calls_label, figure_clock, add_up_figures, recount_figures;--> statement-breakpoint
DROP TABLE "figure_changes";--> statement-breakpoint
DROP TABLE "figures";--> statement-breakpoint
CREATE TABLE "metrics" (
	"kind" text NOT NULL,
	"day" date NOT NULL,
	"user_id" integer NOT NULL,
	"label" text NOT NULL,
	"n" bigint NOT NULL,
	"amount" numeric(20, 2) NOT NULL,
	CONSTRAINT "metrics_key" PRIMARY KEY("kind","day","user_id","label")
);
--> statement-breakpoint
CREATE TABLE "dirty_metrics" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"source" text NOT NULL,
	"day" date DEFAULT '0001-01-01' NOT NULL,
	"user_id" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "metric_state" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"time_zone" text NOT NULL,
	"definition" text NOT NULL,
	"counted_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "metric_state_one" CHECK ("metric_state"."id" = 1)
);
--> statement-breakpoint
-- No definition has this name: the next start counts all rows before it listens.
INSERT INTO "metric_state" ("time_zone", "definition") SELECT "time_zone", '' FROM "figure_state";--> statement-breakpoint
DROP TABLE "figure_state";--> statement-breakpoint
-- Marks appended in the transaction of the row. The marks of a change commit with it, and wait for nobody.
CREATE FUNCTION mark_call_logs_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO dirty_metrics (source, day)
  SELECT DISTINCT 'calls', (call_date AT TIME ZONE s.time_zone)::date FROM added, metric_state s;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER call_logs_marked_added AFTER INSERT ON call_logs REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION mark_call_logs_added();
--> statement-breakpoint
CREATE FUNCTION mark_call_logs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO dirty_metrics (source, day)
  SELECT DISTINCT 'calls', (at AT TIME ZONE s.time_zone)::date
  FROM unnest(array[OLD.call_date, NEW.call_date]) at, metric_state s WHERE at IS NOT NULL;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER call_logs_marked_changed AFTER UPDATE ON call_logs FOR EACH ROW
WHEN ((OLD.user_id, OLD.outcome, OLD.duration_seconds, OLD.reported_seconds, OLD.call_date, OLD.direction)
  IS DISTINCT FROM (NEW.user_id, NEW.outcome, NEW.duration_seconds, NEW.reported_seconds, NEW.call_date, NEW.direction))
EXECUTE FUNCTION mark_call_logs();
--> statement-breakpoint
CREATE TRIGGER call_logs_marked_deleted AFTER DELETE ON call_logs FOR EACH ROW EXECUTE FUNCTION mark_call_logs();
--> statement-breakpoint
CREATE FUNCTION mark_messages_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO dirty_metrics (source, day)
  SELECT DISTINCT 'texts', (created_at AT TIME ZONE s.time_zone)::date FROM added, metric_state s;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER messages_marked_added AFTER INSERT ON messages REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION mark_messages_added();
--> statement-breakpoint
CREATE FUNCTION mark_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO dirty_metrics (source, day)
  SELECT DISTINCT 'texts', (at AT TIME ZONE s.time_zone)::date
  FROM unnest(array[OLD.created_at, NEW.created_at]) at, metric_state s WHERE at IS NOT NULL;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER messages_marked_changed AFTER UPDATE ON messages FOR EACH ROW
WHEN ((OLD.user_id, text_label(OLD.direction, OLD.status), OLD.created_at)
  IS DISTINCT FROM (NEW.user_id, text_label(NEW.direction, NEW.status), NEW.created_at))
EXECUTE FUNCTION mark_messages();
--> statement-breakpoint
CREATE TRIGGER messages_marked_deleted AFTER DELETE ON messages FOR EACH ROW EXECUTE FUNCTION mark_messages();
--> statement-breakpoint
CREATE FUNCTION mark_clients() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO dirty_metrics (source, day)
  SELECT DISTINCT 'conversions', (at AT TIME ZONE s.time_zone)::date
  FROM unnest(array[OLD.converted_at, NEW.converted_at]) at, metric_state s WHERE at IS NOT NULL;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER clients_marked AFTER INSERT OR UPDATE OR DELETE ON clients FOR EACH ROW EXECUTE FUNCTION mark_clients();
--> statement-breakpoint
-- Leads come in by the thousand.
CREATE FUNCTION mark_leads_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO dirty_metrics (source, day)
  SELECT DISTINCT 'leads', (created_at AT TIME ZONE s.time_zone)::date FROM added, metric_state s;
  INSERT INTO dirty_metrics (source, user_id) SELECT DISTINCT 'owners', coalesce(assigned_to, 0) FROM added;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER leads_marked_added AFTER INSERT ON leads REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION mark_leads_added();
--> statement-breakpoint
CREATE FUNCTION mark_lead_days() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO dirty_metrics (source, day)
  SELECT DISTINCT 'leads', (at AT TIME ZONE s.time_zone)::date
  FROM unnest(array[OLD.created_at, NEW.created_at]) at, metric_state s WHERE at IS NOT NULL;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER leads_marked_days AFTER UPDATE ON leads FOR EACH ROW
WHEN ((OLD.status, OLD.lead_source, OLD.created_at) IS DISTINCT FROM (NEW.status, NEW.lead_source, NEW.created_at))
EXECUTE FUNCTION mark_lead_days();
--> statement-breakpoint
CREATE FUNCTION mark_lead_owners() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO dirty_metrics (source, user_id) VALUES ('owners', coalesce(OLD.assigned_to, 0));
  IF TG_OP = 'UPDATE' AND OLD.assigned_to IS DISTINCT FROM NEW.assigned_to THEN
    INSERT INTO dirty_metrics (source, user_id) VALUES ('owners', coalesce(NEW.assigned_to, 0));
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER leads_marked_owners AFTER UPDATE ON leads FOR EACH ROW
WHEN ((OLD.status, OLD.assigned_to, OLD.attempts) IS DISTINCT FROM (NEW.status, NEW.assigned_to, NEW.attempts))
EXECUTE FUNCTION mark_lead_owners();
--> statement-breakpoint
CREATE TRIGGER leads_marked_deleted_days AFTER DELETE ON leads FOR EACH ROW EXECUTE FUNCTION mark_lead_days();
--> statement-breakpoint
CREATE TRIGGER leads_marked_deleted_owners AFTER DELETE ON leads FOR EACH ROW EXECUTE FUNCTION mark_lead_owners();
--> statement-breakpoint
-- The calls of each lead, kept as before. Triggers of one table run by their names: after those that hold the leads (call_attempts_…).
CREATE FUNCTION lead_calls_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO lead_calls AS k (lead_id, calls, first_call_at, last_call_at)
  SELECT lead_id, count(*), min(call_date), max(call_date) FROM added
  WHERE direction = 'outbound' AND lead_id IS NOT NULL GROUP BY lead_id ORDER BY lead_id
  ON CONFLICT (lead_id) DO UPDATE SET calls = k.calls + excluded.calls,
    first_call_at = least(k.first_call_at, excluded.first_call_at),
    last_call_at = greatest(k.last_call_at, excluded.last_call_at);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER call_logs_lead_calls_added AFTER INSERT ON call_logs REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION lead_calls_added();
--> statement-breakpoint
CREATE FUNCTION lead_calls_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM recount_lead_calls(OLD.lead_id);
  IF TG_OP = 'UPDATE' THEN PERFORM recount_lead_calls(NEW.lead_id); END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER call_logs_lead_calls_changed AFTER UPDATE ON call_logs FOR EACH ROW
WHEN ((OLD.lead_id, OLD.direction, OLD.call_date) IS DISTINCT FROM (NEW.lead_id, NEW.direction, NEW.call_date))
EXECUTE FUNCTION lead_calls_changed();
--> statement-breakpoint
CREATE TRIGGER call_logs_lead_calls_deleted AFTER DELETE ON call_logs FOR EACH ROW EXECUTE FUNCTION lead_calls_changed();
