-- A person who was deleted stays as a name that says nothing, so that what he did still has somebody.
alter table users add column deleted_at timestamptz;
create index on users (created_at) where deleted_at is null;
create index on users (name, id);
create index on users (email, id);
create index on users (is_admin, id) where is_admin;
create index users_words on users using gin (lower(name || ' ' || email) gin_trgm_ops);

-- How a session was opened; and which administrator opened it in the person's name.
alter table session_tokens
  add column means text not null default 'password' check (means in ('password', 'code', 'passkey', 'admin')),
  add column admin_id text references users on delete set null;

-- What is mailed to whoever claims an address: a code to type, or a link. Whether there is an account is found out by the job that mails it, so
-- that nobody learns it by the time of an answer. Of codes only keyed digests are kept, of links digests.
create table one_time_codes (
  id text collate "C" primary key,
  purpose text not null check (purpose in ('sign_in', 'verify_email', 'reset_password')),
  email text not null,
  language text,
  user_id text references users on delete cascade,
  code_hash text,
  token_hash text unique,
  attempts integer not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  check ((user_id is null) = (code_hash is null))
);
create index on one_time_codes (user_id, purpose) where used_at is null;
create index on one_time_codes (expires_at);

-- A person hands all that he owns over to another, who accepts by a link in his mail.
create table account_transfers (
  id text collate "C" primary key,
  from_id text not null references users on delete cascade,
  email text not null,
  token_hash text not null unique,
  status text not null default 'open' check (status in ('open', 'accepted', 'declined', 'replaced')),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  settled_at timestamptz,
  check ((status = 'open') = (settled_at is null))
);
create unique index account_transfers_open on account_transfers (from_id) where status = 'open';
create index on account_transfers (created_at);

-- Passkeys, and the challenges that are open; each is answered once.
create table passkeys (
  id text collate "C" primary key,
  user_id text not null references users on delete cascade,
  credential_id text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}',
  name text not null,
  synced boolean not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create unique index passkeys_credential on passkeys (credential_id);
create index on passkeys (user_id, id);
create table passkey_challenges (
  id text collate "C" primary key,
  user_id text references users on delete cascade,
  challenge text not null,
  expires_at timestamptz not null
);
create index on passkey_challenges (expires_at);

-- A second factor: its secret is sealed; each step of time is taken once. Of recovery codes keyed digests are kept.
create table second_factors (
  user_id text collate "C" primary key references users on delete cascade,
  secret text not null,
  confirmed_at timestamptz,
  last_step bigint not null default 0,
  created_at timestamptz not null default now()
);
create table recovery_codes (
  user_id text collate "C" not null references users on delete cascade,
  digest text not null,
  primary key (user_id, digest)
);

-- What administrators did to people, for good.
create table admin_actions (
  id text collate "C" primary key,
  admin_id text references users on delete set null,
  what text not null,
  user_id text references users on delete set null,
  reason text not null default '',
  created_at timestamptz not null default now()
);
create index on admin_actions (user_id, id);

-- What people are told within.
create table notifications (
  user_id text collate "C" not null references users on delete cascade,
  id text collate "C" not null,
  title text not null,
  message text not null,
  created_at timestamptz not null default now(),
  read_at timestamptz,
  primary key (user_id, id)
);
create index on notifications (created_at);

-- What the operators of the platform say, by name; some of it to everybody.
create table options (
  key text collate "C" primary key,
  value jsonb not null,
  is_public boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
