-- Cash and figures have permissions of their own. Members and invitations keep what they could do, as far as one permission can say it: cash
-- of carriers and of gateways was two rights before, so it is kept by who had both. An administrator read cash by the right to write parcels.

update store_members set permissions = permissions || array_remove(array[
  case when permissions @> array['parcels:read', 'orders:read'] and (role <> 'admin' or 'parcels:write' = any (permissions)) then 'cash:read' end,
  case when permissions @> array['parcels:write', 'orders:write'] then 'cash:write' end,
  case when 'orders:read' = any (permissions) then 'figures:read' end
], null) where permissions is not null;

update store_invitations set permissions = permissions || array_remove(array[
  case when permissions @> array['parcels:read', 'orders:read'] and (role <> 'admin' or 'parcels:write' = any (permissions)) then 'cash:read' end,
  case when permissions @> array['parcels:write', 'orders:write'] then 'cash:write' end,
  case when 'orders:read' = any (permissions) then 'figures:read' end
], null) where permissions is not null;
