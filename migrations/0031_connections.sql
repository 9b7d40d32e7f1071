-- Whose a connection is, what tells several to one adapter apart, and how it goes.
alter table integrations
  add column owner text not null default 'store' check (owner in ('store', 'platform')),
  add column name text not null default '',
  -- Why a person has to see to it, since when, and what could not be done.
  add column attention text,
  add column attention_since timestamptz,
  add column attention_operation text,
  add column last_success_at timestamptz,
  drop constraint integrations_pkey;
alter table integrations
  alter column store_id drop not null,
  add primary key (id),
  add constraint integrations_owned check ((owner = 'store') = (store_id is not null)),
  add constraint integrations_attention check ((attention is null) = (attention_since is null));
drop index integrations_id;
create index on integrations (store_id, id);
drop index integrations_key;
create unique index integrations_key on integrations (store_id, key, name) nulls not distinct where deleted_at is null;

-- Somebody's way to the other side's own page and back. Of its state only the digest is kept; what proves it is derived from it.
create table oauth_states (
  digest text primary key,
  connection_id text not null references integrations,
  -- Who began: a person, or a project through its key.
  begun_by text not null,
  redirect_uri text not null,
  return_to text,
  expires_at timestamptz not null
);
create index on oauth_states (expires_at);

-- What lets a connection act for whoever signed in at the other side.
create table oauth_tokens (
  connection_id text primary key references integrations,
  sealed text not null,
  -- Grows with each new set of tokens: who writes says from which they came.
  version integer not null default 1,
  expires_at timestamptz,
  -- When they are renewed, before they expire; null where that is not known or not possible.
  renew_at timestamptz,
  renewed_at timestamptz not null default now(),
  -- Who is asking for new ones, and until when nobody else does.
  renewing_by text,
  renewing_until timestamptz,
  -- An earlier renewal got no answer: what works once may be used up.
  unanswered boolean not null default false,
  failures integer not null default 0,
  -- After a failure, when it is tried again.
  retry_at timestamptz,
  -- The other side's no for good.
  refused text
);
create index on oauth_tokens (renew_at) where refused is null;
