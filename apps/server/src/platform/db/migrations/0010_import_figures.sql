-- Leads that came in by the thousand: looked through once, with the zone asked for once, where each row asked for it twice before.
CREATE OR REPLACE FUNCTION leads_counted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE zone text := (SELECT time_zone FROM figure_state);
BEGIN
  INSERT INTO figure_changes (kind, day, user_id, label, n)
  WITH counted AS MATERIALIZED (
    SELECT (created_at AT TIME ZONE zone)::date AS day, coalesce(assigned_to, 0) AS owner, status,
      left(coalesce(lead_source, ''), 200) AS source, count(*) AS n
    FROM added GROUP BY 1, 2, 3, 4
  )
  SELECT 'lead', day, 0, status, sum(n) FROM counted GROUP BY day, status
  UNION ALL
  SELECT 'lead_source', day, 0, source, sum(n) FROM counted GROUP BY day, source
  UNION ALL
  SELECT 'lead_owner', '0001-01-01'::date, owner, status, sum(n) FROM counted GROUP BY owner, status;
  RETURN NULL;
END $$;
