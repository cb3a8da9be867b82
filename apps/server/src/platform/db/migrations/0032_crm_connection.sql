CREATE TABLE "crm_connections" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"location_id" text NOT NULL,
	"location_name" text,
	"company_id" text,
	"missing_scopes" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"tokens" text,
	"expires_at" timestamp with time zone NOT NULL,
	"refresh_at" timestamp with time zone NOT NULL,
	"refreshed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"generation" integer DEFAULT 1 NOT NULL,
	"claim" uuid,
	"claimed_at" timestamp with time zone,
	"lost_at" timestamp with time zone,
	"lost_reason" text,
	"connected_at" timestamp with time zone DEFAULT now() NOT NULL,
	"connected_by" integer,
	CONSTRAINT "crm_connections_one" CHECK ("crm_connections"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "crm_installs" (
	"state_hash" text PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"session_id" integer NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "crm_private_tokens" (
	"hash" text PRIMARY KEY NOT NULL,
	"since" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "crm_connections" ADD CONSTRAINT "crm_connections_connected_by_users_id_fk" FOREIGN KEY ("connected_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "crm_installs" ADD CONSTRAINT "crm_installs_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "provider_events_crm_idx" ON "provider_events" USING btree ("received_at") WHERE "provider_events"."source" = 'gohighlevel';--> statement-breakpoint
CREATE INDEX "provider_events_app_idx" ON "provider_events" USING btree ("received_at") WHERE "provider_events"."kind" in ('INSTALL', 'UNINSTALL');