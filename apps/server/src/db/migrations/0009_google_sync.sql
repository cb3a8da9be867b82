ALTER TABLE "google_accounts" ADD COLUMN "full_synced_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "google_accounts" ADD COLUMN "claim" uuid;--> statement-breakpoint
ALTER TABLE "google_accounts" ADD COLUMN "claimed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "meetings" ADD COLUMN "google_base" jsonb;