-- A link that a person began is made as long as the session works that he began it in. What was begun before has none, and begins anew.
alter table social_states add column session_id text;
alter table social_tickets add column session_id text;

-- Topics that endpoints ask for, as LIKE compares them, which compiles nothing: of ten thousand regular expressions each was compiled anew for
-- each event. Between namespace and key stands a character that neither of them has; a star at the end of either is a percent sign.
create function webhook_topics(events text[]) returns text[] language sql immutable parallel safe as $$
  select coalesce(array_agg(regexp_replace(regexp_replace(regexp_replace(regexp_replace(event,
    '([\\%_])', '\\\1', 'g'), '\*$', '%'), '^([^/]*)\*/', '\1%' || chr(1)), '^([^/' || chr(1) || ']*)/', '\1' || chr(1))), '{}')
  from unnest(events) as event where event like '%:%/%'
$$;
alter table webhook_endpoints add column topics text[] not null generated always as (webhook_topics(events)) stored;
