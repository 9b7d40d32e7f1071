-- Programs of others that people let in (OAuth 2.0).
create table apps (
  id text collate "C" primary key,
  owner_id text not null references users on delete cascade,
  name text not null,
  description text not null default '',
  website text,
  -- Only a program that can keep a secret has one.
  secret_hash text,
  secret_last4 text,
  redirect_uris text[] not null,
  -- All that it may ask for.
  scopes text[] not null,
  pushed_requests_only boolean not null default false,
  bound_tokens_only boolean not null default false,
  public_data jsonb not null default '{}',
  private_data jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index on apps (owner_id, id);

-- What an app keeps of a person.
create table app_user_data (
  app_id text collate "C" not null references apps on delete cascade,
  user_id text collate "C" not null references users on delete cascade,
  data jsonb not null,
  updated_at timestamptz not null default now(),
  primary key (app_id, user_id)
);
create index on app_user_data (user_id);

-- Requests that an app pushed before it sent the person here. Of their names only the digest is kept.
create table oauth_requests (
  digest text primary key,
  app_id text collate "C" not null references apps on delete cascade,
  parameters jsonb not null,
  expires_at timestamptz not null
);
create index on oauth_requests (expires_at);
create index on oauth_requests (app_id);

-- What a person allowed an app once; all that came of it ends with it. Kept until the last of that has expired.
create table oauth_grants (
  id text collate "C" primary key,
  app_id text collate "C" not null references apps on delete cascade,
  user_id text collate "C" not null references users on delete cascade,
  -- Whose project it acts for, as long as the person may steer that; null for the first of the person's own.
  project_id text collate "C",
  scopes text[] not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index on oauth_grants (user_id, app_id);
create index on oauth_grants (app_id, user_id);
create index on oauth_grants (expires_at);

create table oauth_codes (
  digest text primary key,
  grant_id text collate "C" not null references oauth_grants on delete cascade,
  -- As the request named it; null where the app has but one and named none.
  redirect_uri text,
  challenge text,
  -- Of the key that whoever brings the code has to prove.
  thumbprint text,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index on oauth_codes (expires_at);
create index on oauth_codes (grant_id);

-- A part for each week of expiry, which tokens name in their text: one index of one part is looked into, and a week that is over is dropped
-- whole. No foreign keys: what has no grant any more is found no more.
create table oauth_access_tokens (
  week integer not null,
  digest bytea not null,
  grant_id text collate "C" not null,
  scopes text[] not null,
  thumbprint text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (digest, week)
) partition by range (week);

create table oauth_refresh_tokens (
  week integer not null,
  digest bytea not null,
  grant_id text collate "C" not null,
  thumbprint text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- What came of it is made of its own text and this moment: a retry gets the same.
  used_at timestamptz,
  primary key (digest, week)
) partition by range (week);

-- Makes the parts for these weeks, where they are not there.
create function oauth_make_weeks(first integer, last integer) returns void language plpgsql as $$
declare
  part text;
begin
  perform pg_advisory_xact_lock(7233032);
  for week in first..last loop
    foreach part in array array['oauth_access_tokens', 'oauth_refresh_tokens'] loop
      if to_regclass(part || '_' || week) is null then
        execute format('create table %I partition of %I for values from (%s) to (%s)', part || '_' || week, part, week, week + 1);
      end if;
    end loop;
  end loop;
end $$;

-- Drops the parts of the weeks before this one, and says how many.
create function oauth_drop_weeks(before integer) returns integer language plpgsql as $$
declare
  part text;
  dropped integer := 0;
begin
  perform pg_advisory_xact_lock(7233032);
  for part in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent in ('oauth_access_tokens'::regclass, 'oauth_refresh_tokens'::regclass)
      and substring(c.relname from '\d+$')::integer < before
  loop
    execute format('drop table %I', part);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;

select oauth_make_weeks(floor(extract(epoch from now()) / 604800)::integer, floor(extract(epoch from now()) / 604800)::integer + 32);
