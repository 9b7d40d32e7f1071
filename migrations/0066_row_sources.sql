-- Tabs of spreadsheets whose rows become orders. Somebody is connected before it is said which tab that is.
create table row_sources (
  connection_id text collate "C" primary key references integrations,
  store_id text not null references stores on delete cascade,
  -- Another where it becomes another tab.
  generation text not null,
  spreadsheet_id text,
  tab_id text,
  columns jsonb not null default '[]',
  language text not null default 'ar',
  -- Rows up to this one stood there before, and are left alone; 0 once each of them has its name.
  old_rows integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((spreadsheet_id is null) = (tab_id is null))
);
create index on row_sources (store_id);

-- Which forms of a page become orders, and what each orders, as somebody said.
alter table channels add column setup jsonb;

-- Also of what waits its shop may be told.
drop index channel_orders_updated_at_idx;
create index channel_orders_moved on channel_orders (updated_at);
