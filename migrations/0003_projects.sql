create table tenants (
  id integer generated always as identity (start with 1000) primary key,
  name text not null,
  owner_id text references users on delete set null,
  created_at timestamptz not null default now()
);

create table projects (
  id text collate "C" primary key,
  tenant_id integer not null references tenants,
  name text not null,
  products text[] not null default '{parcels,inventory,geo,webhooks}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index on projects (tenant_id, id);

create table api_keys (
  id text collate "C" primary key,
  project_id text not null references projects on delete cascade,
  name text not null,
  key_hash text not null unique,
  last4 text not null,
  scopes text[] not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz
);
create index on api_keys (project_id, id);
