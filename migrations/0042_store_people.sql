-- A store has exactly one owner, whoever gives it to whom at the same time.
create unique index store_members_owner on store_members (store_id) where role = 'owner';
create index on store_members (store_id, created_at, user_id);

-- Who was asked to work in a store. Of its token only the digest is kept; what is open and over its time counts as expired.
create table store_invitations (
  store_id text not null references stores on delete cascade,
  id text collate "C" primary key,
  email text not null,
  role text not null check (role in ('admin', 'agent', 'viewer')),
  token_hash text not null,
  status text not null default 'open' check (status in ('open', 'accepted', 'declined', 'withdrawn', 'expired')),
  -- People, for as long as they have an account.
  invited_by text references users on delete set null,
  accepted_by text references users on delete set null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  settled_at timestamptz,
  check ((status = 'open') = (settled_at is null))
);
create unique index store_invitations_open on store_invitations (store_id, lower(email)) where status = 'open';
create index on store_invitations (store_id, id);
create index on store_invitations (store_id, status, id);
create index on store_invitations (lower(email), id) where status = 'open';

-- Who changed what in a store; kept for two years, in partitions of a quarter as core/data/partitions.ts keeps them.
create table audit_entries (
  store_id text collate "C" not null,
  id text collate "C" not null,
  -- A person or an API key; empty where nobody asked for it.
  by_id text collate "C" not null,
  by_kind text not null check (by_kind in ('person', 'key', 'system')),
  -- The app that acted as the person.
  app_id text,
  what text not null,
  thing text not null,
  before jsonb,
  after jsonb,
  created_at timestamptz not null default now(),
  primary key (store_id, id)
) partition by range (id);
create table audit_entries_rest partition of audit_entries for values from (minvalue) to (maxvalue);
create index audit_entries_by on audit_entries (store_id, by_id, id);
create index audit_entries_what on audit_entries (store_id, what, id);
create index audit_entries_thing on audit_entries (store_id, thing, id);

-- How many orders a store has in each status, read off an index alone.
create index orders_counted on orders (store_id, status) where deleted_at is null;

-- Who may not order without an account. `matched`: the value in the one way that it is compared in; of networks that is `network`.
create table store_blocks (
  store_id text not null references stores on delete cascade,
  id text collate "C" primary key,
  kind text not null check (kind in ('phone', 'address', 'ip')),
  value jsonb not null,
  matched text not null,
  network cidr,
  reason text not null default '',
  blocked_by text references users on delete set null,
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  check ((kind = 'ip') = (network is not null)),
  constraint store_blocks_matched unique (store_id, kind, matched)
);
create index on store_blocks (store_id, id);
create index on store_blocks (store_id, kind, id);
create index on store_blocks (expires_at) where expires_at is not null;

-- A look that a store's people try before it is theirs.
create table store_template_previews (
  store_id text primary key references stores on delete cascade,
  template_id text not null,
  data jsonb not null default '{}',
  -- Of the token that lets a storefront show it.
  token_hash text not null,
  started_by text references users on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  expires_at timestamptz not null,
  constraint store_previews_template foreign key (template_id) references templates on delete cascade
);
create index on store_template_previews (template_id);

-- The domain that a store wants to be reached at. Until it is proven anybody may name it; then it is one store's.
create table store_domains (
  store_id text not null references stores on delete cascade,
  id text collate "C" primary key,
  host text not null,
  proof text not null,
  state text not null default 'pending' check (state in ('pending', 'verified', 'live', 'failing', 'failed')),
  problem text,
  -- How often it was looked at in this state, for which it has been there since.
  looks integer not null default 0,
  state_since timestamptz not null default now(),
  checked_at timestamptz,
  created_at timestamptz not null default now(),
  constraint store_domains_one unique (store_id)
);
create unique index store_domains_held on store_domains (host) where state in ('verified', 'live', 'failing');
