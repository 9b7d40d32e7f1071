-- Pages and templates for a product that a model makes, step by step, and how far each is.
create table landing_jobs (
  id text collate "C" primary key,
  store_id text not null references stores on delete cascade,
  kind text not null check (kind in ('template', 'page', 'picture_page')),
  status text not null default 'queued' check (status in ('queued', 'running', 'completed', 'failed')),
  product_id text not null,
  -- What was asked for, and of which models.
  asked jsonb not null,
  -- What was made by now: whoever goes on after a process that died makes the rest.
  data jsonb,
  pictures text[] not null default '{}',
  page_id text,
  -- Of the page as it was written: one that somebody changed by hand is not what `data` says any more.
  digest text,
  failure text,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  check ((finished_at is null) = (status in ('queued', 'running')))
);
create index on landing_jobs (store_id) where status in ('queued', 'running');
create index on landing_jobs (page_id) where page_id is not null;
