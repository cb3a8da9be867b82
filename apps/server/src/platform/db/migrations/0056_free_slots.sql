CREATE TABLE "google_busy_times" (
	"user_id" integer NOT NULL,
	"event_id" text NOT NULL,
	"starts_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	CONSTRAINT "google_busy_times_user_id_event_id_pk" PRIMARY KEY("user_id","event_id")
);
--> statement-breakpoint
ALTER TABLE "meetings" ADD COLUMN "transparent" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "google_busy_times" ADD CONSTRAINT "google_busy_times_user_id_google_accounts_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."google_accounts"("user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- What events take is not known yet: each connected calendar is read in full once more.
UPDATE "google_accounts" SET "sync_token" = NULL;
