-- PostgreSQL plans searches by itself and reads the rows: the index needs no copy of their text, and Drizzle's schema agrees with it.
DROP INDEX "leads_walk_idx";--> statement-breakpoint
CREATE INDEX "leads_state_idx" ON "leads" USING btree ("status","priority","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);
