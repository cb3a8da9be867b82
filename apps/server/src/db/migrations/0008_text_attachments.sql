ALTER TABLE "messages" ADD COLUMN "attachments" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE "messages" SET "attachments" = substring("body" from '^\[(\d{1,2}) attachments?\]$')::integer, "body" = ''
WHERE "direction" = 'inbound' AND "body" ~ '^\[\d{1,2} attachments?\]$';
