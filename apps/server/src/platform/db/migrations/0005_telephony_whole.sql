CREATE TABLE "inbound_calls" (
	"id" serial PRIMARY KEY NOT NULL,
	"call_sid" text NOT NULL,
	"from_number" text NOT NULL,
	"lead_id" integer,
	"owner_id" integer,
	"taken_by" integer,
	"stage" text NOT NULL,
	"result" text,
	"talk_seconds" integer,
	"transcription" text,
	"facts" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"recording_tries" integer DEFAULT 0 NOT NULL,
	"recording_asked_at" timestamp with time zone,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"answered_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"settled_at" timestamp with time zone,
	"last_news_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "inbound_calls_call_sid_unique" UNIQUE("call_sid")
);
--> statement-breakpoint
CREATE TABLE "recordings" (
	"id" serial PRIMARY KEY NOT NULL,
	"recording_sid" text NOT NULL,
	"call_sid" text NOT NULL,
	"call_id" integer,
	"inbound_call_id" integer,
	"lead_id" integer,
	"user_id" integer,
	"kind" text DEFAULT 'call' NOT NULL,
	"status" text NOT NULL,
	"duration_seconds" integer,
	"started_at" timestamp with time zone,
	"match_tries" integer DEFAULT 0 NOT NULL,
	"matched_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "recordings_recording_sid_unique" UNIQUE("recording_sid")
);
--> statement-breakpoint
CREATE TABLE "messages" (
	"id" serial PRIMARY KEY NOT NULL,
	"lead_id" integer,
	"user_id" integer,
	"direction" text NOT NULL,
	"body" text NOT NULL,
	"status" text NOT NULL,
	"error_code" integer,
	"from_number" text NOT NULL,
	"to_number" text NOT NULL,
	"segments" integer,
	"message_sid" text,
	"client_ref" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"asked_at" timestamp with time zone,
	"read_at" timestamp with time zone,
	"dismissed_at" timestamp with time zone,
	"last_news_at" timestamp with time zone DEFAULT now() NOT NULL,
	"checked_at" timestamp with time zone,
	CONSTRAINT "messages_message_sid_unique" UNIQUE("message_sid"),
	CONSTRAINT "messages_client_ref_unique" UNIQUE("client_ref")
);
--> statement-breakpoint
ALTER TABLE "call_logs" ADD COLUMN "direction" text DEFAULT 'outbound' NOT NULL;--> statement-breakpoint
ALTER TABLE "call_logs" ADD COLUMN "inbound_call_id" integer;--> statement-breakpoint
ALTER TABLE "call_logs" ADD COLUMN "search" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "overridden_opt_out" text;--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "recording_tries" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "recording_asked_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "time_zone" text;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "language" text;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "consent_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "leads" ADD COLUMN "consent_source" text;--> statement-breakpoint
ALTER TABLE "inbound_calls" ADD CONSTRAINT "inbound_calls_lead_id_leads_id_fk" FOREIGN KEY ("lead_id") REFERENCES "public"."leads"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inbound_calls" ADD CONSTRAINT "inbound_calls_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inbound_calls" ADD CONSTRAINT "inbound_calls_taken_by_users_id_fk" FOREIGN KEY ("taken_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recordings" ADD CONSTRAINT "recordings_call_id_calls_id_fk" FOREIGN KEY ("call_id") REFERENCES "public"."calls"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recordings" ADD CONSTRAINT "recordings_inbound_call_id_inbound_calls_id_fk" FOREIGN KEY ("inbound_call_id") REFERENCES "public"."inbound_calls"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recordings" ADD CONSTRAINT "recordings_lead_id_leads_id_fk" FOREIGN KEY ("lead_id") REFERENCES "public"."leads"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recordings" ADD CONSTRAINT "recordings_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_lead_id_leads_id_fk" FOREIGN KEY ("lead_id") REFERENCES "public"."leads"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "inbound_calls_lead_idx" ON "inbound_calls" USING btree ("lead_id","started_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "inbound_calls_ended_idx" ON "inbound_calls" USING btree ("ended_at");--> statement-breakpoint
CREATE INDEX "inbound_calls_live_idx" ON "inbound_calls" USING btree ("owner_id") WHERE "inbound_calls"."stage" <> 'ended';--> statement-breakpoint
CREATE INDEX "inbound_calls_missed_idx" ON "inbound_calls" USING btree ("owner_id","started_at" DESC NULLS LAST) WHERE "inbound_calls"."settled_at" is null;--> statement-breakpoint
CREATE INDEX "recordings_call_idx" ON "recordings" USING btree ("call_sid");--> statement-breakpoint
CREATE INDEX "recordings_lead_idx" ON "recordings" USING btree ("lead_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "recordings_user_idx" ON "recordings" USING btree ("user_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "recordings_unmatched_idx" ON "recordings" USING btree ("created_at") WHERE "recordings"."call_id" is null and "recordings"."inbound_call_id" is null;--> statement-breakpoint
CREATE INDEX "recordings_created_idx" ON "recordings" USING btree ("created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "messages_lead_idx" ON "messages" USING btree ("lead_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "messages_user_idx" ON "messages" USING btree ("user_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "messages_unread_idx" ON "messages" USING btree ("lead_id") WHERE "messages"."direction" = 'inbound' and "messages"."read_at" is null;--> statement-breakpoint
CREATE INDEX "messages_inbox_idx" ON "messages" USING btree ("created_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE "messages"."lead_id" is null and "messages"."dismissed_at" is null;--> statement-breakpoint
CREATE INDEX "messages_from_idx" ON "messages" USING btree ("from_number","id" DESC NULLS LAST) WHERE "messages"."direction" = 'inbound';--> statement-breakpoint
CREATE INDEX "messages_unconfirmed_idx" ON "messages" USING btree ("last_news_at") WHERE "messages"."status" = 'sent' and "messages"."checked_at" is null;--> statement-breakpoint
CREATE INDEX "messages_open_idx" ON "messages" USING btree ("last_news_at") WHERE "messages"."status" in ('requested', 'queued', 'sending');--> statement-breakpoint
ALTER TABLE "call_logs" ADD CONSTRAINT "call_logs_inbound_call_id_inbound_calls_id_fk" FOREIGN KEY ("inbound_call_id") REFERENCES "public"."inbound_calls"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "call_logs_outcome_idx" ON "call_logs" USING btree ("outcome","call_date" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "call_logs_search_idx" ON "call_logs" USING gin ("search" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "calls_ended_idx" ON "calls" USING btree ("ended_at") WHERE "calls"."state" = 'ended';--> statement-breakpoint
ALTER TABLE "call_logs" ADD CONSTRAINT "call_logs_inbound_call_id_unique" UNIQUE("inbound_call_id");--> statement-breakpoint
-- Notes of calls that were logged before: folded as the server folds them.
UPDATE "call_logs" SET "search" = trim(regexp_replace(replace(lower(regexp_replace(normalize("notes", NFD), '[\u0300-\u036f]', '', 'g')), 'ß', 'ss'), '\s+', ' ', 'g')) WHERE "notes" IS NOT NULL;
