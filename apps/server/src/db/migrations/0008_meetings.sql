CREATE TABLE "google_accounts" (
	"user_id" integer PRIMARY KEY NOT NULL,
	"email" text,
	"scope" text NOT NULL,
	"tokens" text,
	"disconnected_reason" text,
	"sync_token" text,
	"last_synced_at" timestamp with time zone,
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
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "meetings_client_ref_unique" UNIQUE("client_ref")
);
--> statement-breakpoint
ALTER TABLE "google_accounts" ADD CONSTRAINT "google_accounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "google_consents" ADD CONSTRAINT "google_consents_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meetings" ADD CONSTRAINT "meetings_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meetings" ADD CONSTRAINT "meetings_lead_id_leads_id_fk" FOREIGN KEY ("lead_id") REFERENCES "public"."leads"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meetings" ADD CONSTRAINT "meetings_google_user_id_users_id_fk" FOREIGN KEY ("google_user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "meetings_user_idx" ON "meetings" USING btree ("user_id","starts_at","id") WHERE "meetings"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "meetings_lead_idx" ON "meetings" USING btree ("lead_id","starts_at") WHERE "meetings"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "meetings_google_key" ON "meetings" USING btree ("google_user_id","google_event_id") WHERE "meetings"."google_event_id" is not null;--> statement-breakpoint
CREATE INDEX "meetings_pending_idx" ON "meetings" USING btree ("user_id") WHERE "meetings"."sync" = 'pending';