CREATE TABLE "crm_run_contacts" (
	"run_id" integer NOT NULL,
	"contact_id" text NOT NULL,
	CONSTRAINT "crm_run_contacts_run_id_contact_id_pk" PRIMARY KEY("run_id","contact_id")
);
--> statement-breakpoint
CREATE TABLE "dialer_items" (
	"session_id" integer NOT NULL,
	"position" integer NOT NULL,
	"lead_id" integer NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"reason" text,
	"call_id" integer,
	"dialled_at" timestamp with time zone,
	"settled_at" timestamp with time zone,
	"leased_at" timestamp with time zone,
	CONSTRAINT "dialer_items_session_id_position_pk" PRIMARY KEY("session_id","position")
);
--> statement-breakpoint
CREATE TABLE "dialer_sessions" (
	"id" serial PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"status" text NOT NULL,
	"phase" text NOT NULL,
	"position" integer DEFAULT 0 NOT NULL,
	"total" integer NOT NULL,
	"call_id" integer,
	"rep_misses" integer DEFAULT 0 NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"pause_reason" text,
	"due_at" timestamp with time zone,
	"typing_until" timestamp with time zone,
	"skipping" boolean DEFAULT false NOT NULL,
	"delay_seconds" integer NOT NULL,
	"order" text NOT NULL,
	"source" jsonb NOT NULL,
	"checking_at" timestamp with time zone,
	"watched_at" timestamp with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	"closed_at" timestamp with time zone,
	"version" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "dialer_steps" (
	"id" serial PRIMARY KEY NOT NULL,
	"session_id" integer NOT NULL,
	"position" integer NOT NULL,
	"kind" text NOT NULL,
	"data" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "import_batches" (
	"import_id" integer NOT NULL,
	"first_row" integer NOT NULL,
	"row_count" integer NOT NULL,
	"rows" text NOT NULL,
	CONSTRAINT "import_batches_import_id_first_row_pk" PRIMARY KEY("import_id","first_row")
);
--> statement-breakpoint
CREATE TABLE "import_failures" (
	"import_id" integer NOT NULL,
	"row" integer NOT NULL,
	"reasons" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"raw" text NOT NULL,
	CONSTRAINT "import_failures_import_id_row_pk" PRIMARY KEY("import_id","row")
);
--> statement-breakpoint
CREATE TABLE "imports" (
	"id" serial PRIMARY KEY NOT NULL,
	"user_id" integer,
	"source_system" text NOT NULL,
	"file_name" text,
	"duplicates" text DEFAULT 'skip' NOT NULL,
	"columns" jsonb,
	"mapping" jsonb,
	"state" text DEFAULT 'running' NOT NULL,
	"total" integer NOT NULL,
	"position" integer DEFAULT 0 NOT NULL,
	"imported" integer DEFAULT 0 NOT NULL,
	"updated" integer DEFAULT 0 NOT NULL,
	"skipped" integer DEFAULT 0 NOT NULL,
	"errors" integer DEFAULT 0 NOT NULL,
	"message" text,
	"lease" text,
	"heartbeat_at" timestamp with time zone DEFAULT now() NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "intake_keys" (
	"source" text PRIMARY KEY NOT NULL,
	"key_hash" text,
	"key_sealed" text,
	"key_hint" text,
	"key_created_at" timestamp with time zone,
	"key_created_by" integer,
	"previous_hash" text,
	"previous_sealed" text,
	"previous_until" timestamp with time zone,
	"client_secret_sealed" text,
	"organization_id" text
);
--> statement-breakpoint
CREATE TABLE "lead_delivery_items" (
	"id" serial PRIMARY KEY NOT NULL,
	"delivery_id" bigint NOT NULL,
	"source" text NOT NULL,
	"event_key" text,
	"outcome" text NOT NULL,
	"reason" text,
	"lead_id" integer
);
--> statement-breakpoint
CREATE TABLE "lead_origins" (
	"source" text NOT NULL,
	"external_id" text NOT NULL,
	"lead_id" integer,
	"properties" jsonb,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "lead_origins_source_external_id_pk" PRIMARY KEY("source","external_id")
);
--> statement-breakpoint
CREATE TABLE "google_accounts" (
	"user_id" integer PRIMARY KEY NOT NULL,
	"email" text,
	"scope" text NOT NULL,
	"tokens" text,
	"disconnected_reason" text,
	"sync_token" text,
	"last_synced_at" timestamp with time zone,
	"full_synced_at" timestamp with time zone,
	"claim" uuid,
	"claimed_at" timestamp with time zone,
	"connected_at" timestamp with time zone DEFAULT now() NOT NULL,
	"generation" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "google_consents" (
	"state_hash" text PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"session_id" integer NOT NULL,
	"code_verifier" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "meetings" (
	"id" serial PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"lead_id" integer,
	"title" text NOT NULL,
	"description" text,
	"starts_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"time_zone" text NOT NULL,
	"calendar_type" text NOT NULL,
	"meeting_link" text,
	"attendee_emails" text,
	"wants_meet_link" boolean DEFAULT false NOT NULL,
	"client_ref" uuid,
	"version" integer DEFAULT 1 NOT NULL,
	"pushed_version" integer DEFAULT 0 NOT NULL,
	"sync" text DEFAULT 'none' NOT NULL,
	"sync_error" text,
	"google_event_id" text,
	"google_user_id" integer,
	"google_etag" text,
	"google_base" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "meetings_client_ref_unique" UNIQUE("client_ref")
);
--> statement-breakpoint
CREATE TABLE "stopped_numbers" (
	"number" text PRIMARY KEY NOT NULL,
	"stopped" boolean NOT NULL,
	"event_id" bigint,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
DROP INDEX "inbound_calls_missed_idx";--> statement-breakpoint
ALTER TABLE "call_logs" ALTER COLUMN "lead_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "inbound_calls" ADD COLUMN "settled_by" integer;--> statement-breakpoint
ALTER TABLE "crm_sync_runs" ADD COLUMN "created" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "crm_sync_runs" ADD COLUMN "changed" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "crm_sync_runs" ADD COLUMN "deleted" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "crm_sync_runs" ADD COLUMN "watermark" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "crm_note_id" text;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "attachments" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "auto_dial" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "dialer_items" ADD CONSTRAINT "dialer_items_session_id_dialer_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."dialer_sessions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dialer_items" ADD CONSTRAINT "dialer_items_lead_id_leads_id_fk" FOREIGN KEY ("lead_id") REFERENCES "public"."leads"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dialer_items" ADD CONSTRAINT "dialer_items_call_id_calls_id_fk" FOREIGN KEY ("call_id") REFERENCES "public"."calls"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dialer_sessions" ADD CONSTRAINT "dialer_sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dialer_sessions" ADD CONSTRAINT "dialer_sessions_call_id_calls_id_fk" FOREIGN KEY ("call_id") REFERENCES "public"."calls"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dialer_steps" ADD CONSTRAINT "dialer_steps_session_id_dialer_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."dialer_sessions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_batches" ADD CONSTRAINT "import_batches_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_failures" ADD CONSTRAINT "import_failures_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "intake_keys" ADD CONSTRAINT "intake_keys_key_created_by_users_id_fk" FOREIGN KEY ("key_created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lead_delivery_items" ADD CONSTRAINT "lead_delivery_items_delivery_id_provider_events_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."provider_events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lead_delivery_items" ADD CONSTRAINT "lead_delivery_items_lead_id_leads_id_fk" FOREIGN KEY ("lead_id") REFERENCES "public"."leads"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lead_origins" ADD CONSTRAINT "lead_origins_lead_id_leads_id_fk" FOREIGN KEY ("lead_id") REFERENCES "public"."leads"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "google_accounts" ADD CONSTRAINT "google_accounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "google_consents" ADD CONSTRAINT "google_consents_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meetings" ADD CONSTRAINT "meetings_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meetings" ADD CONSTRAINT "meetings_lead_id_leads_id_fk" FOREIGN KEY ("lead_id") REFERENCES "public"."leads"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meetings" ADD CONSTRAINT "meetings_google_user_id_users_id_fk" FOREIGN KEY ("google_user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "dialer_items_lead_key" ON "dialer_items" USING btree ("session_id","lead_id");--> statement-breakpoint
CREATE UNIQUE INDEX "dialer_items_lease_key" ON "dialer_items" USING btree ("lead_id") WHERE "dialer_items"."leased_at" is not null;--> statement-breakpoint
CREATE INDEX "dialer_items_dialled_idx" ON "dialer_items" USING btree ("lead_id","dialled_at" DESC NULLS LAST) WHERE "dialer_items"."dialled_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "dialer_sessions_live_key" ON "dialer_sessions" USING btree ("user_id") WHERE "dialer_sessions"."status" in ('active', 'paused');--> statement-breakpoint
CREATE INDEX "dialer_sessions_user_idx" ON "dialer_sessions" USING btree ("user_id","started_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "dialer_sessions_due_idx" ON "dialer_sessions" USING btree ("due_at") WHERE "dialer_sessions"."status" = 'active';--> statement-breakpoint
CREATE INDEX "dialer_sessions_call_idx" ON "dialer_sessions" USING btree ("call_id") WHERE "dialer_sessions"."call_id" is not null;--> statement-breakpoint
CREATE INDEX "dialer_steps_session_idx" ON "dialer_steps" USING btree ("session_id","id");--> statement-breakpoint
CREATE INDEX "imports_user_idx" ON "imports" USING btree ("user_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "imports_running_idx" ON "imports" USING btree ("id") WHERE "imports"."state" = 'running';--> statement-breakpoint
CREATE INDEX "lead_delivery_items_delivery_idx" ON "lead_delivery_items" USING btree ("delivery_id");--> statement-breakpoint
CREATE UNIQUE INDEX "lead_delivery_items_event_key" ON "lead_delivery_items" USING btree ("source","event_key") WHERE "lead_delivery_items"."event_key" is not null and "lead_delivery_items"."outcome" not in ('repeat', 'rejected', 'tested');--> statement-breakpoint
CREATE INDEX "lead_origins_lead_idx" ON "lead_origins" USING btree ("lead_id");--> statement-breakpoint
CREATE INDEX "meetings_user_idx" ON "meetings" USING btree ("user_id","starts_at","id") WHERE "meetings"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "meetings_lead_idx" ON "meetings" USING btree ("lead_id","starts_at") WHERE "meetings"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "meetings_google_key" ON "meetings" USING btree ("google_user_id","google_event_id") WHERE "meetings"."google_event_id" is not null;--> statement-breakpoint
CREATE INDEX "meetings_pending_idx" ON "meetings" USING btree ("user_id") WHERE "meetings"."sync" = 'pending';--> statement-breakpoint
ALTER TABLE "inbound_calls" ADD CONSTRAINT "inbound_calls_settled_by_users_id_fk" FOREIGN KEY ("settled_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "call_logs_stranger_idx" ON "call_logs" USING btree ("call_date" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE "call_logs"."lead_id" is null;--> statement-breakpoint
CREATE INDEX "inbound_calls_waiting_idx" ON "inbound_calls" USING btree ("started_at" DESC NULLS LAST) WHERE "inbound_calls"."settled_at" is null and "inbound_calls"."result" in ('missed', 'voicemail');--> statement-breakpoint
CREATE INDEX "inbound_calls_stranger_idx" ON "inbound_calls" USING btree ("from_number") WHERE "inbound_calls"."lead_id" is null;--> statement-breakpoint
CREATE INDEX "provider_events_deliveries_idx" ON "provider_events" USING btree ("kind","id" DESC NULLS LAST) WHERE "provider_events"."source" = 'lead-webhook';--> statement-breakpoint
CREATE INDEX "recordings_stranger_idx" ON "recordings" USING btree ("created_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE "recordings"."lead_id" is null and "recordings"."inbound_call_id" is not null;--> statement-breakpoint
CREATE INDEX "crm_outbox_lead_idx" ON "crm_outbox" USING btree ("lead_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "crm_outbox_sent_idx" ON "crm_outbox" USING btree ("sent_at") WHERE "crm_outbox"."state" = 'sent';--> statement-breakpoint
CREATE INDEX "crm_sync_runs_kind_idx" ON "crm_sync_runs" USING btree ("kind","id" DESC NULLS LAST);--> statement-breakpoint
INSERT INTO "call_logs" ("lead_id", "inbound_call_id", "outcome", "confirmed", "confirmed_at", "direction", "call_type", "call_date", "duration_seconds", "call_sid")
SELECT null, i."id", case i."result" when 'missed' then 'no_answer' else i."result" end, true, i."ended_at", 'inbound', 'inbound', i."started_at",
  coalesce(case i."result" when 'voicemail' then (i."facts" ->> 'voicemailSeconds')::int else i."talk_seconds" end, 0), i."call_sid"
FROM "inbound_calls" i
WHERE i."lead_id" is null and i."stage" = 'ended' and i."result" is not null
  and not exists (select 1 from "call_logs" c where c."inbound_call_id" = i."id");
--> statement-breakpoint
UPDATE "messages" SET "attachments" = substring("body" from '^\[(\d{1,2}) attachments?\]$')::integer, "body" = ''
WHERE "direction" = 'inbound' AND "body" ~ '^\[\d{1,2} attachments?\]$';
--> statement-breakpoint
INSERT INTO "stopped_numbers" ("number", "stopped")
SELECT DISTINCT phone_e164, true FROM leads WHERE text_opt_out = 'stop' AND phone_e164 IS NOT NULL;
