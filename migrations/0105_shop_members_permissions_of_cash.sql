-- Cash and figures have permissions of their own. Members keep what they could do.

with given (held, also) as (values
  ('parcels:read', 'cash:read'),
  ('orders:read', 'figures:read'),
  ('parcels:write', 'cash:write')
)
update store_members m set permissions = m.permissions || (select array_agg(also) from given where held = any (m.permissions))
where exists (select from given where held = any (m.permissions));

with given (held, also) as (values
  ('parcels:read', 'cash:read'),
  ('orders:read', 'figures:read'),
  ('parcels:write', 'cash:write')
)
update store_invitations i set permissions = i.permissions || (select array_agg(also) from given where held = any (i.permissions))
where exists (select from given where held = any (i.permissions));
