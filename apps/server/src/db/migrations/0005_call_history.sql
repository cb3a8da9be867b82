CREATE INDEX "call_logs_outcome_idx" ON "call_logs" USING btree ("outcome","call_date" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
-- Notes of calls that were logged before: folded as the server folds them.
UPDATE "call_logs" SET "search" = trim(regexp_replace(replace(lower(regexp_replace(normalize("notes", NFD), '[\u0300-\u036f]', '', 'g')), 'ß', 'ss'), '\s+', ' ', 'g')) WHERE "notes" IS NOT NULL;
