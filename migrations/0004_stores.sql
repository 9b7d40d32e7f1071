create table stores (
  id text collate "C" primary key,
  owner_id text not null references users,
  project_id text not null unique references projects,
  name text not null,
  slug text not null unique,
  country_code text not null,
  currency_code text not null,
  phone text,
  email text,
  address text,
  settings jsonb not null default '{}',
  metadata jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);

create table store_members (
  store_id text not null references stores on delete cascade,
  user_id text not null references users on delete cascade,
  role text not null check (role in ('owner', 'admin', 'agent', 'viewer')),
  created_at timestamptz not null default now(),
  primary key (store_id, user_id)
);
create index on store_members (user_id, store_id);
