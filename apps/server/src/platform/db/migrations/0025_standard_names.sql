ALTER TABLE "intake_keys" RENAME TO "lead_webhook_sources";--> statement-breakpoint
ALTER TABLE "lead_webhook_sources" RENAME CONSTRAINT "intake_keys_key_created_by_users_id_fk" TO "lead_webhook_sources_key_created_by_users_id_fk";--> statement-breakpoint
ALTER INDEX "intake_keys_pkey" RENAME TO "lead_webhook_sources_pkey";--> statement-breakpoint
ALTER TABLE "lead_webhook_sources" RENAME COLUMN "key_sealed" TO "key_encrypted";--> statement-breakpoint
ALTER TABLE "lead_webhook_sources" RENAME COLUMN "previous_sealed" TO "previous_encrypted";--> statement-breakpoint
ALTER TABLE "lead_webhook_sources" RENAME COLUMN "client_secret_sealed" TO "client_secret_encrypted";--> statement-breakpoint
ALTER TABLE "calls" RENAME COLUMN "last_news_at" TO "last_event_at";--> statement-breakpoint
ALTER TABLE "inbound_calls" RENAME COLUMN "last_news_at" TO "last_event_at";--> statement-breakpoint
ALTER TABLE "messages" RENAME COLUMN "last_news_at" TO "last_event_at";--> statement-breakpoint
ALTER TABLE "users" RENAME COLUMN "email_notices" TO "email_notifications";--> statement-breakpoint
ALTER TABLE "users" RENAME COLUMN "sms_notices" TO "sms_notifications";--> statement-breakpoint
ALTER TABLE "users" RENAME COLUMN "call_notices" TO "call_notifications";--> statement-breakpoint
ALTER TABLE "users" RENAME COLUMN "meeting_notices" TO "meeting_notifications";--> statement-breakpoint
ALTER TABLE "leads" RENAME COLUMN "last_touch_at" TO "last_activity_at";--> statement-breakpoint
ALTER TABLE "leads" RENAME COLUMN "unread_texts" TO "unread_messages";--> statement-breakpoint
DROP TRIGGER calls_touched ON calls;--> statement-breakpoint
DROP TRIGGER inbound_calls_touched ON inbound_calls;--> statement-breakpoint
DROP TRIGGER messages_touched ON messages;--> statement-breakpoint
DROP TRIGGER messages_retouched ON messages;--> statement-breakpoint
DROP FUNCTION calls_touched();--> statement-breakpoint
DROP FUNCTION inbound_calls_touched();--> statement-breakpoint
DROP FUNCTION messages_touched();--> statement-breakpoint
DROP FUNCTION touch_lead(int, timestamptz, int);--> statement-breakpoint
-- Written by the database, as whoever writes a call or a message may forget them, and lists depend on them.
CREATE FUNCTION record_lead_activity(lead int, at timestamptz, unread int) RETURNS void LANGUAGE sql AS $$
  UPDATE leads SET last_activity_at = greatest(last_activity_at, at), unread_messages = unread_messages + unread
  WHERE id = lead AND (unread <> 0 OR last_activity_at IS NULL OR last_activity_at < at)
$$;
--> statement-breakpoint
CREATE FUNCTION record_call_activity() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM record_lead_activity(NEW.lead_id, NEW.requested_at, 0);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER calls_activity AFTER INSERT OR UPDATE OF lead_id ON calls FOR EACH ROW EXECUTE FUNCTION record_call_activity();
--> statement-breakpoint
CREATE FUNCTION record_inbound_call_activity() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM record_lead_activity(NEW.lead_id, NEW.started_at, 0);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER inbound_calls_activity AFTER INSERT OR UPDATE OF lead_id ON inbound_calls
FOR EACH ROW EXECUTE FUNCTION record_inbound_call_activity();
--> statement-breakpoint
CREATE FUNCTION record_message_activity() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    PERFORM record_lead_activity(OLD.lead_id, NULL, -1) WHERE OLD.direction = 'inbound' AND OLD.read_at IS NULL;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    PERFORM record_lead_activity(NEW.lead_id, NEW.created_at, (NEW.direction = 'inbound' AND NEW.read_at IS NULL)::int);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER messages_activity AFTER INSERT OR DELETE ON messages FOR EACH ROW EXECUTE FUNCTION record_message_activity();
--> statement-breakpoint
CREATE TRIGGER messages_activity_changed AFTER UPDATE ON messages FOR EACH ROW
WHEN ((OLD.lead_id, OLD.direction = 'inbound' AND OLD.read_at IS NULL)
  IS DISTINCT FROM (NEW.lead_id, NEW.direction = 'inbound' AND NEW.read_at IS NULL))
EXECUTE FUNCTION record_message_activity();
