-- What a lead is found by fits beside its keys in an index: of the few that are longer, the beginning and the end, which is the phone number.
UPDATE leads SET search = left(search, 450) || ' ' || right(search, 150) WHERE octet_length(search) > 2500;
--> statement-breakpoint
DROP INDEX leads_walk_idx;
--> statement-breakpoint
-- A walk past leads without the words reads the index alone.
CREATE INDEX leads_walk_idx ON leads (status, priority, created_at DESC NULLS LAST, id DESC NULLS LAST) INCLUDE (search);
