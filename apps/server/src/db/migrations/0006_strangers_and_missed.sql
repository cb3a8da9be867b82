ALTER TABLE "call_logs" ALTER COLUMN "lead_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "inbound_calls" ADD COLUMN "settled_by" integer;--> statement-breakpoint
ALTER TABLE "inbound_calls" ADD CONSTRAINT "inbound_calls_settled_by_users_id_fk" FOREIGN KEY ("settled_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "call_logs_stranger_idx" ON "call_logs" USING btree ("call_date" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE "call_logs"."lead_id" is null;--> statement-breakpoint
CREATE INDEX "inbound_calls_stranger_idx" ON "inbound_calls" USING btree ("from_number") WHERE "inbound_calls"."lead_id" is null;--> statement-breakpoint
CREATE INDEX "recordings_stranger_idx" ON "recordings" USING btree ("created_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE "recordings"."lead_id" is null and "recordings"."inbound_call_id" is not null;--> statement-breakpoint
INSERT INTO "call_logs" ("lead_id", "inbound_call_id", "outcome", "confirmed", "confirmed_at", "direction", "call_type", "call_date", "duration_seconds", "call_sid")
SELECT null, i."id", case i."result" when 'missed' then 'no_answer' else i."result" end, true, i."ended_at", 'inbound', 'inbound', i."started_at",
  coalesce(case i."result" when 'voicemail' then (i."facts" ->> 'voicemailSeconds')::int else i."talk_seconds" end, 0), i."call_sid"
FROM "inbound_calls" i
WHERE i."lead_id" is null and i."stage" = 'ended' and i."result" is not null
  and not exists (select 1 from "call_logs" c where c."inbound_call_id" = i."id");
