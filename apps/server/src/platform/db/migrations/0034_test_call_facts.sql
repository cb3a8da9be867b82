ALTER TABLE "test_calls" ADD COLUMN "failure_code" integer;--> statement-breakpoint
ALTER TABLE "test_calls" ADD COLUMN "public_url" text;--> statement-breakpoint
-- Why a call was not made stood as an English sentence; the words are those of the pages now.
UPDATE "test_calls" SET "failure" = CASE
	WHEN "failure" LIKE '%did not accept the portal''s keys%' THEN 'auth'
	WHEN "failure" LIKE '%provider is busy%' THEN 'rate-limited'
	WHEN "failure" LIKE '%cannot be reached. Nothing was dialled%' THEN 'unavailable'
	WHEN "failure" LIKE '%does not know this call%' THEN 'not-found'
	ELSE 'invalid' END
WHERE "failure" IS NOT NULL;
