-- STOP, START and HELP are answered by the provider: they are nobody's unread work.
UPDATE messages SET read_at = created_at, dismissed_at = CASE WHEN lead_id IS NULL THEN coalesce(dismissed_at, created_at) ELSE dismissed_at END
WHERE direction = 'inbound' AND read_at IS NULL AND (
  regexp_replace(lower(body), '^[[:space:][:punct:]¡¿]+|[[:space:][:punct:]]+$', '', 'g')
    IN ('stop', 'stopall', 'unsubscribe', 'cancel', 'end', 'quit', 'revoke', 'optout', 'alto', 'parar', 'baja', 'cancelar')
  OR lower(btrim(body, E' \t\r\n')) IN ('start', 'unstop', 'alta', 'iniciar', 'help'));
