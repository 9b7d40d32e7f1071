-- Servers of tools (MCP) that the people of a store have named: a person's own, or those of the whole store.
create table mcp_servers (
  store_id text not null references stores on delete cascade,
  id text collate "C" primary key,
  -- Whose it is alone; null for the whole store's.
  user_id text references users on delete cascade,
  name text not null,
  url text not null,
  auth text not null check (auth in ('none', 'headers', 'oauth')),
  enabled boolean not null default true,
  -- Where somebody pasted a client of an authorization server: its id. What it proves itself with is sealed below.
  client_id text,
  -- As of the last time that it was reached for: what it speaks, what it calls itself, and what went wrong.
  protocol text,
  title text,
  problem text,
  reached_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index on mcp_servers (store_id, id);
create index on mcp_servers (user_id) where user_id is not null;

-- What is sealed of a server: the headers that somebody entered, clients by who gives the tokens, and each person's own tokens.
create table mcp_secrets (
  store_id text not null references stores on delete cascade,
  id text collate "C" primary key,
  server_id text collate "C" not null references mcp_servers on delete cascade,
  kind text not null check (kind in ('headers', 'client', 'tokens')),
  -- Whose tokens they are; null for what is the server's.
  user_id text references users on delete cascade,
  issuer text not null default '',
  sealed text not null,
  updated_at timestamptz not null default now(),
  unique nulls not distinct (server_id, kind, user_id, issuer),
  check ((kind = 'tokens') = (user_id is not null))
);
create index on mcp_secrets (store_id);
create index on mcp_secrets (user_id) where user_id is not null;

-- Somebody who went to an authorization server to let us in at a server of tools. Used once, by the one who began.
create table mcp_sign_ins (
  store_id text not null references stores on delete cascade,
  digest text primary key,
  server_id text collate "C" not null references mcp_servers on delete cascade,
  user_id text not null references users on delete cascade,
  -- What has to be known again when he comes back: what proves that the code is ours, and who gives the tokens.
  sealed text not null,
  return_to text,
  expires_at timestamptz not null
);
create index on mcp_sign_ins (store_id);
create index on mcp_sign_ins (server_id);
create index on mcp_sign_ins (user_id);
create index on mcp_sign_ins (expires_at);
