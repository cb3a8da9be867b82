ALTER TABLE "leads" ADD COLUMN "last_touch_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "unread_texts" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- Kept by the database, as whoever writes a call or a text may forget them, and lists go by them.
CREATE FUNCTION touch_lead(touched int, at timestamptz, unread int) RETURNS void LANGUAGE sql AS $$
  UPDATE leads SET last_touch_at = greatest(last_touch_at, at), unread_texts = unread_texts + unread
  WHERE id = touched AND (unread <> 0 OR last_touch_at IS NULL OR last_touch_at < at)
$$;
--> statement-breakpoint
CREATE FUNCTION calls_touched() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM touch_lead(NEW.lead_id, NEW.requested_at, 0);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER calls_touched AFTER INSERT OR UPDATE OF lead_id ON calls FOR EACH ROW EXECUTE FUNCTION calls_touched();
--> statement-breakpoint
CREATE FUNCTION inbound_calls_touched() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM touch_lead(NEW.lead_id, NEW.started_at, 0);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER inbound_calls_touched AFTER INSERT OR UPDATE OF lead_id ON inbound_calls
FOR EACH ROW EXECUTE FUNCTION inbound_calls_touched();
--> statement-breakpoint
CREATE FUNCTION messages_touched() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    PERFORM touch_lead(OLD.lead_id, NULL, -1) WHERE OLD.direction = 'inbound' AND OLD.read_at IS NULL;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    PERFORM touch_lead(NEW.lead_id, NEW.created_at, (NEW.direction = 'inbound' AND NEW.read_at IS NULL)::int);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER messages_touched AFTER INSERT OR DELETE ON messages FOR EACH ROW EXECUTE FUNCTION messages_touched();
--> statement-breakpoint
CREATE TRIGGER messages_retouched AFTER UPDATE ON messages FOR EACH ROW
WHEN ((OLD.lead_id, OLD.direction = 'inbound' AND OLD.read_at IS NULL)
  IS DISTINCT FROM (NEW.lead_id, NEW.direction = 'inbound' AND NEW.read_at IS NULL))
EXECUTE FUNCTION messages_touched();
--> statement-breakpoint
UPDATE leads l SET unread_texts = m.n
FROM (SELECT lead_id, count(*) AS n FROM messages WHERE direction = 'inbound' AND read_at IS NULL GROUP BY lead_id) m
WHERE m.lead_id = l.id;
--> statement-breakpoint
-- Older touches tell nothing.
UPDATE leads l SET last_touch_at = t.at
FROM (
  SELECT lead_id, max(at) AS at FROM (
    SELECT lead_id, requested_at AS at FROM calls
    UNION ALL SELECT lead_id, started_at FROM inbound_calls
    UNION ALL SELECT lead_id, created_at FROM messages
  ) touches
  WHERE at > now() - interval '2 days' GROUP BY lead_id
) t
WHERE t.lead_id = l.id;
