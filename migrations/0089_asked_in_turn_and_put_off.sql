-- When a shop was asked last to call back, whatever came of it: of many, those that were asked longest ago are next.
alter table channels add column subscribe_asked_at timestamptz;

-- Whose account connections were of that are gone and that nobody can ask any more, as far as their settings say it: they are known again by it.
update channels c set account = coalesce(nullif(i.settings ->> 'pageId', ''), i.settings ->> 'merchant') from integrations i
where i.id = c.connection_id and i.kind = 'connector' and i.deleted_at is not null and c.account is null
  and coalesce(nullif(i.settings ->> 'pageId', ''), i.settings ->> 'merchant') <> '';

-- A row that a sheet does not take keeps no other from being written: it is tried again later, each time later than before.
alter table sheet_rows
  add column refusals integer not null default 0,
  add column retry_after timestamptz;
