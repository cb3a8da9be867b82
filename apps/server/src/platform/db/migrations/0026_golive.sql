CREATE TABLE "admin_alerts" (
	"kind" text PRIMARY KEY NOT NULL,
	"since" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "google_accounts" ADD COLUMN "setup_fault" text;
--> statement-breakpoint
-- Until now what Google refused because its API was off counted as refused for good. Nothing else tells these meetings apart from those that
-- Google really does not allow: each to come is tried once more, and says again why where it is refused again.
UPDATE "meetings" SET "sync" = 'pending', "sync_error" = NULL
WHERE "sync" = 'failed' AND "sync_error" = 'Google does not allow this change (403).' AND "ends_at" > now();
