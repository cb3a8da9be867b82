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
ALTER TABLE "users" ADD COLUMN "auto_dial" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "dialer_items" ADD CONSTRAINT "dialer_items_session_id_dialer_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."dialer_sessions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dialer_items" ADD CONSTRAINT "dialer_items_lead_id_leads_id_fk" FOREIGN KEY ("lead_id") REFERENCES "public"."leads"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dialer_items" ADD CONSTRAINT "dialer_items_call_id_calls_id_fk" FOREIGN KEY ("call_id") REFERENCES "public"."calls"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dialer_sessions" ADD CONSTRAINT "dialer_sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dialer_sessions" ADD CONSTRAINT "dialer_sessions_call_id_calls_id_fk" FOREIGN KEY ("call_id") REFERENCES "public"."calls"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dialer_steps" ADD CONSTRAINT "dialer_steps_session_id_dialer_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."dialer_sessions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "dialer_items_lead_key" ON "dialer_items" USING btree ("session_id","lead_id");--> statement-breakpoint
CREATE UNIQUE INDEX "dialer_items_lease_key" ON "dialer_items" USING btree ("lead_id") WHERE "dialer_items"."leased_at" is not null;--> statement-breakpoint
CREATE INDEX "dialer_items_dialled_idx" ON "dialer_items" USING btree ("lead_id","dialled_at" DESC NULLS LAST) WHERE "dialer_items"."dialled_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "dialer_sessions_live_key" ON "dialer_sessions" USING btree ("user_id") WHERE "dialer_sessions"."status" in ('active', 'paused');--> statement-breakpoint
CREATE INDEX "dialer_sessions_user_idx" ON "dialer_sessions" USING btree ("user_id","started_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "dialer_sessions_due_idx" ON "dialer_sessions" USING btree ("due_at") WHERE "dialer_sessions"."status" = 'active';--> statement-breakpoint
CREATE INDEX "dialer_sessions_call_idx" ON "dialer_sessions" USING btree ("call_id") WHERE "dialer_sessions"."call_id" is not null;--> statement-breakpoint
CREATE INDEX "dialer_steps_session_idx" ON "dialer_steps" USING btree ("session_id","id");