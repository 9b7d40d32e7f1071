-- Cash and figures have permissions of their own. Nobody gains by this: payouts of carriers and of gateways were two rights, so only a member
-- who had both keeps them.

with given (held, also) as (values
  (array['parcels:read', 'orders:read'], 'cash:read'),
  (array['parcels:write', 'orders:write'], 'cash:write'),
  (array['orders:read'], 'figures:read')
)
update store_members m set permissions = m.permissions || (select array_agg(also) from given where held <@ m.permissions)
where exists (select from given where held <@ m.permissions);

with given (held, also) as (values
  (array['parcels:read', 'orders:read'], 'cash:read'),
  (array['parcels:write', 'orders:write'], 'cash:write'),
  (array['orders:read'], 'figures:read')
)
update store_invitations i set permissions = i.permissions || (select array_agg(also) from given where held <@ i.permissions)
where exists (select from given where held <@ i.permissions);
