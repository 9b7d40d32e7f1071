-- People who come in with an account that they have elsewhere. Known by the provider and its name for them, never by an e-mail address.
create table social_identities (
  id text collate "C" primary key,
  provider text not null,
  subject text not null,
  user_id text not null references users on delete cascade,
  -- As the provider last told it, for the person to know it by.
  email text,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  constraint social_identities_subject unique (provider, subject),
  constraint social_identities_person unique (user_id, provider)
);

-- Sign-ins under way at a provider. Each is taken once; of what names it a digest is kept.
create table social_states (
  digest text primary key,
  provider text not null,
  purpose text not null check (purpose in ('sign_in', 'link')),
  -- The digest of what the browser that began has; and the person who links.
  browser text,
  user_id text references users on delete cascade,
  redirect_uri text not null,
  return_to text,
  -- What whoever is sent back there has to prove (RFC 7636).
  challenge text,
  expires_at timestamptz not null,
  constraint social_states_bound check (case purpose when 'sign_in' then browser is not null else user_id is not null end)
);
create index on social_states (expires_at);

-- Who came back, until somebody does with it what it was begun for. Likewise taken once, and kept as a digest.
create table social_tickets (
  digest text primary key,
  provider text not null,
  purpose text not null check (purpose in ('sign_in', 'link')),
  profile jsonb not null,
  browser text,
  user_id text references users on delete cascade,
  challenge text,
  expires_at timestamptz not null
);
create index on social_tickets (expires_at);

-- Identity tokens that somebody came in with, by the digest of what is signed of them: none is taken twice.
create table social_spent_tokens (
  digest text primary key,
  expires_at timestamptz not null
);
create index on social_spent_tokens (expires_at);

-- A person may be signed in by a provider; who never chose a password has an empty hash, which nothing matches.
alter table session_tokens drop constraint session_tokens_means_check,
  add constraint session_tokens_means_check check (means in ('password', 'code', 'passkey', 'social', 'admin'));
