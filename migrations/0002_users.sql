create table users (
  id text collate "C" primary key,
  name text not null,
  email text not null,
  email_verified boolean not null default false,
  password_hash text not null,
  is_admin boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index users_email on users (lower(email));

create table session_tokens (
  id text collate "C" primary key,
  user_id text not null references users on delete cascade,
  token_hash text not null unique,
  user_agent text not null default '',
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index on session_tokens (user_id, id);
