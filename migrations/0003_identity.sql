-- Identity: people, sessions, sign-in, tenants, projects, API keys and OAuth apps.

create table users (
  id text collate "C" not null,
  name text not null,
  email text not null,
  email_verified boolean not null default false,
  password_hash text not null,
  is_admin boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- A deleted user stays as a row without personal data, because their actions refer to it.
  deleted_at timestamptz,
  -- Language of mails.
  language text,
  constraint users_pkey primary key (id),
  constraint users_language_check check (language in ('en', 'fr', 'ar'))
);
comment on table users is 'A person with an account.';
create index users_created_at_idx on users (created_at) where deleted_at is null;
create unique index users_email on users (lower(email));
create index users_email_id_idx on users (email, id);
create index users_is_admin_id_idx on users (is_admin, id) where is_admin;
create index users_name_id_idx on users (name, id);
create index users_words on users using gin (folded(((name || ' ') || email)) gin_trgm_ops);
alter table files add constraint files_user_id_fkey foreign key (user_id) references users(id) on delete cascade;

create table session_tokens (
  id text collate "C" not null,
  user_id text not null,
  token_hash text not null,
  user_agent text not null default '',
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- Network the session was opened from. It is exempt from delays after wrong passwords of others.
  network text,
  means text not null default 'password',
  admin_id text,
  constraint session_tokens_pkey primary key (id),
  constraint session_tokens_token_hash_key unique (token_hash),
  constraint session_tokens_admin_id_fkey foreign key (admin_id) references users(id) on delete set null,
  constraint session_tokens_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint session_tokens_means_check check (means in ('password', 'code', 'passkey', 'social', 'admin'))
);
comment on table session_tokens is 'A signed-in session of a user. Only the digest of its token is kept.';
create index session_tokens_user_id_id_idx on session_tokens (user_id, id);

create table revocations (
  id bigint not null generated always as identity,
  xid xid8 not null default pg_current_xact_id(),
  tag text not null,
  at timestamptz not null default clock_timestamp(),
  constraint revocations_pkey primary key (id)
);
comment on table revocations is 'Credential that processes must no longer remember. Each process reads on, by transaction, from where it stopped.';
create index revocations_at_idx on revocations (at);
create index revocations_xid_idx on revocations (xid);

create table one_time_codes (
  id text collate "C" not null,
  purpose text not null,
  email text not null,
  language text,
  user_id text,
  code_hash text,
  token_hash text,
  attempts integer not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  welcomes boolean not null default false,
  is_near boolean not null default false,
  constraint one_time_codes_pkey primary key (id),
  constraint one_time_codes_token_hash_key unique (token_hash),
  constraint one_time_codes_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint one_time_codes_check check ((user_id is null) = (code_hash is null)),
  constraint one_time_codes_purpose_check check (purpose in ('sign_in', 'verify_email', 'reset_password'))
);
comment on table one_time_codes is 'Code or link that was mailed to an address, as a digest: to confirm it, sign in or choose a password.';
create index one_time_codes_expires_at_idx on one_time_codes (expires_at);
create index one_time_codes_user_id_purpose_idx on one_time_codes (user_id, purpose) where used_at is null;

create table second_factors (
  user_id text collate "C" not null,
  secret text not null,
  confirmed_at timestamptz,
  last_step bigint not null default 0,
  created_at timestamptz not null default now(),
  constraint second_factors_pkey primary key (user_id),
  constraint second_factors_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
comment on table second_factors is 'Authenticator app of a user, with its sealed secret.';

create table recovery_codes (
  user_id text collate "C" not null,
  digest text not null,
  constraint recovery_codes_pkey primary key (user_id, digest),
  constraint recovery_codes_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
comment on table recovery_codes is 'Digest of a recovery code, which replaces the second factor once.';

create table passkeys (
  id text collate "C" not null,
  user_id text not null,
  credential_id text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}',
  name text not null,
  synced boolean not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  constraint passkeys_pkey primary key (id),
  constraint passkeys_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
comment on table passkeys is 'A passkey of a user.';
create unique index passkeys_credential on passkeys (credential_id);
create index passkeys_user_id_id_idx on passkeys (user_id, id);

create table passkey_challenges (
  id text collate "C" not null,
  user_id text,
  challenge text not null,
  expires_at timestamptz not null,
  constraint passkey_challenges_pkey primary key (id),
  constraint passkey_challenges_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
comment on table passkey_challenges is 'Challenge of a passkey ceremony that has not ended.';
create index passkey_challenges_expires_at_idx on passkey_challenges (expires_at);

create table social_identities (
  id text collate "C" not null,
  provider text not null,
  subject text not null,
  user_id text not null,
  -- E-mail address as the provider last reported it.
  email text,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  sealed_token text,
  constraint social_identities_person unique (user_id, provider),
  constraint social_identities_pkey primary key (id),
  constraint social_identities_subject unique (provider, subject),
  constraint social_identities_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
comment on table social_identities is 'Account of a user at a sign-in provider such as Google.';

create table social_states (
  digest text not null,
  provider text not null,
  purpose text not null,
  browser text,
  user_id text,
  redirect_uri text not null,
  return_to text,
  -- PKCE challenge that the returning browser has to prove.
  challenge text,
  expires_at timestamptz not null,
  session_id text,
  go_on_to text,
  constraint social_states_pkey primary key (digest),
  constraint social_states_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint social_states_bound check (
case purpose
    when 'sign_in' then browser is not null
    else user_id is not null
end),
  constraint social_states_go_on_to_check check (go_on_to ~ '^/[^/\\]'),
  constraint social_states_purpose_check check (purpose in ('sign_in', 'link'))
);
comment on table social_states is 'A sign-in at a provider that was started and has not come back.';
create index social_states_expires_at_idx on social_states (expires_at);

create table social_tickets (
  digest text not null,
  provider text not null,
  purpose text not null,
  profile jsonb not null,
  browser text,
  user_id text,
  challenge text,
  expires_at timestamptz not null,
  session_id text,
  sealed_token text,
  go_on_to text,
  constraint social_tickets_pkey primary key (digest),
  constraint social_tickets_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint social_tickets_go_on_to_check check (go_on_to ~ '^/[^/\\]'),
  constraint social_tickets_purpose_check check (purpose in ('sign_in', 'link'))
);
comment on table social_tickets is 'Result of a sign-in at a provider that waits to be exchanged for a session.';
create index social_tickets_expires_at_idx on social_tickets (expires_at);

create table social_spent_tokens (
  digest text not null,
  expires_at timestamptz not null,
  constraint social_spent_tokens_pkey primary key (digest)
);
comment on table social_spent_tokens is 'Digest of an ID token that was used, so that it is used once.';
create index social_spent_tokens_expires_at_idx on social_spent_tokens (expires_at);

create table notifications (
  user_id text collate "C" not null,
  id text collate "C" not null,
  title text not null,
  message text not null,
  created_at timestamptz not null default now(),
  read_at timestamptz,
  constraint notifications_pkey primary key (user_id, id),
  constraint notifications_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
comment on table notifications is 'Message that a user sees in their account.';
create index notifications_created_at_idx on notifications (created_at);

create table admin_actions (
  id text collate "C" not null,
  admin_id text,
  what text not null,
  user_id text,
  reason text not null default '',
  created_at timestamptz not null default now(),
  constraint admin_actions_pkey primary key (id),
  constraint admin_actions_admin_id_fkey foreign key (admin_id) references users(id) on delete set null,
  constraint admin_actions_user_id_fkey foreign key (user_id) references users(id) on delete set null
);
comment on table admin_actions is 'Action of a platform administrator on another user, with the reason.';
create index admin_actions_user_id_id_idx on admin_actions (user_id, id);

create table account_transfers (
  id text collate "C" not null,
  from_id text not null,
  email text not null,
  token_hash text not null,
  status text not null default 'open',
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  settled_at timestamptz,
  constraint account_transfers_pkey primary key (id),
  constraint account_transfers_token_hash_key unique (token_hash),
  constraint account_transfers_from_id_fkey foreign key (from_id) references users(id) on delete cascade,
  constraint account_transfers_check check ((status = 'open') = (settled_at is null)),
  constraint account_transfers_status_check check (status in ('open', 'accepted', 'declined', 'replaced'))
);
comment on table account_transfers is 'Offer of a user to hand all tenants they own to another address.';
create index account_transfers_created_at_idx on account_transfers (created_at);
create unique index account_transfers_open on account_transfers (from_id) where status = 'open';

create table tenants (
  id integer not null generated always as identity,
  name text not null,
  owner_id text,
  created_at timestamptz not null default now(),
  limits jsonb not null default '{}',
  updated_at timestamptz not null default now(),
  deletes_at timestamptz,
  removing boolean not null default false,
  constraint tenants_pkey primary key (id),
  constraint tenants_owner_id_fkey foreign key (owner_id) references users(id) on delete set null,
  constraint tenants_check check (deletes_at is not null or not removing)
);
comment on table tenants is 'A customer of the platform. It owns projects, and its members manage them.';
create index tenants_deletes_at_idx on tenants (deletes_at) where deletes_at is not null;
create index tenants_name_id_idx on tenants (name, id);
create index tenants_owner_id_id_idx on tenants (owner_id, id);
create index tenants_words on tenants using gin (folded(name) gin_trgm_ops);

create table tenant_members (
  tenant_id integer not null,
  user_id text collate "C" not null,
  role text not null,
  created_at timestamptz not null default now(),
  constraint tenant_members_pkey primary key (tenant_id, user_id),
  constraint tenant_members_tenant_id_fkey foreign key (tenant_id) references tenants(id) on delete cascade,
  constraint tenant_members_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint tenant_members_role_check check (role in ('admin', 'member'))
);
comment on table tenant_members is 'Role of a user in a tenant.';
create index tenant_members_user_id_tenant_id_idx on tenant_members (user_id, tenant_id);

create table projects (
  id text collate "C" not null,
  tenant_id integer not null,
  name text not null,
  products text[] not null default '{parcels,inventory,geo,webhooks}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint projects_pkey primary key (id),
  constraint projects_tenant_id_fkey foreign key (tenant_id) references tenants(id)
);
comment on table projects is 'Unit that API keys, parcels, stock and webhooks belong to. Each store is backed by one.';
create index projects_name_id_idx on projects (name, id);
create index projects_of_tenant_by_name on projects (tenant_id, name, id);
create index projects_tenant_id_id_idx on projects (tenant_id, id);
create index projects_words on projects using gin (folded(name) gin_trgm_ops);
alter table files add constraint files_project_id_fkey foreign key (project_id) references projects(id);
alter table webhook_endpoints add constraint webhook_endpoints_project_id_fkey foreign key (project_id) references projects(id) on delete cascade;
alter table webhook_notices add constraint webhook_notices_project_id_fkey foreign key (project_id) references projects(id) on delete cascade;

create table api_keys (
  id text collate "C" not null,
  project_id text not null,
  name text not null,
  key_hash text not null,
  last4 text not null,
  scopes text[] not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  -- User whose session or key created it.
  created_by text,
  last_used_at timestamptz,
  constraint api_keys_key_hash_key unique (key_hash),
  constraint api_keys_pkey primary key (id),
  constraint api_keys_created_by_fkey foreign key (created_by) references users(id) on delete set null,
  constraint api_keys_project_id_fkey foreign key (project_id) references projects(id) on delete cascade
);
comment on table api_keys is 'An API key of a project with its scopes. Only its digest is kept.';
create index api_keys_created_by_idx on api_keys (created_by) where revoked_at is null;
create index api_keys_project_id_id_idx on api_keys (project_id, id);
create index api_keys_project_id_name_id_idx on api_keys (project_id, name, id);

create table apps (
  id text collate "C" not null,
  owner_id text,
  name text not null,
  description text not null default '',
  website text,
  -- Null for public apps, which use PKCE.
  secret_hash text,
  secret_last4 text,
  redirect_uris text[] not null,
  -- Scopes that the app may ask for.
  scopes text[] not null,
  pushed_requests_only boolean not null default false,
  bound_tokens_only boolean not null default false,
  public_data jsonb not null default '{}',
  private_data jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  dpop_nonces boolean not null default false,
  registration text,
  document_url text collate "C",
  checked_at timestamptz,
  constraint apps_pkey primary key (id),
  constraint apps_owner_id_fkey foreign key (owner_id) references users(id) on delete cascade,
  constraint apps_of_documents check ((not registration is distinct from 'document') = (document_url is not null)),
  constraint apps_registration_check check (registration in ('dynamic', 'document'))
);
comment on table apps is 'OAuth client of a developer, or one that registered itself.';
create unique index apps_document on apps (document_url) where document_url is not null;
create index apps_owner_id_id_idx on apps (owner_id, id);
create index apps_registered on apps (created_at) where registration is not null;

create table app_user_data (
  app_id text collate "C" not null,
  user_id text collate "C" not null,
  data jsonb not null,
  updated_at timestamptz not null default now(),
  constraint app_user_data_pkey primary key (app_id, user_id),
  constraint app_user_data_app_id_fkey foreign key (app_id) references apps(id) on delete cascade,
  constraint app_user_data_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
comment on table app_user_data is 'Free data that an app keeps about a user who granted it access.';
create index app_user_data_user_id_idx on app_user_data (user_id);

create table oauth_requests (
  digest text not null,
  app_id text collate "C" not null,
  parameters jsonb not null,
  expires_at timestamptz not null,
  constraint oauth_requests_pkey primary key (digest),
  constraint oauth_requests_app_id_fkey foreign key (app_id) references apps(id) on delete cascade
);
comment on table oauth_requests is 'Authorization request that was pushed, until it is used or expires.';
create index oauth_requests_app_id_idx on oauth_requests (app_id);
create index oauth_requests_expires_at_idx on oauth_requests (expires_at);

create table oauth_codes (
  digest text not null,
  grant_id text collate "C" not null,
  redirect_uri text,
  challenge text,
  -- Key that the bearer of the code has to prove (DPoP).
  thumbprint text,
  expires_at timestamptz not null,
  used_at timestamptz,
  constraint oauth_codes_pkey primary key (digest)
);
comment on table oauth_codes is 'Authorization code that waits to be exchanged for tokens.';
create index oauth_codes_expires_at_idx on oauth_codes (expires_at);
create index oauth_codes_grant_id_idx on oauth_codes (grant_id);

create table oauth_grants (
  id text collate "C" not null,
  app_id text collate "C" not null,
  user_id text collate "C" not null,
  -- Project that the grant is for; null for the first project of the user.
  project_id text collate "C",
  scopes text[] not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  constraint oauth_grants_pkey primary key (id),
  constraint oauth_grants_app_id_fkey foreign key (app_id) references apps(id) on delete cascade,
  constraint oauth_grants_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
comment on table oauth_grants is 'Consent of a user to an app, with the scopes. Tokens of the grant end with it.';
create index oauth_grants_app_id_user_id_idx on oauth_grants (app_id, user_id);
create index oauth_grants_expires_at_idx on oauth_grants (expires_at);
create index oauth_grants_user_id_app_id_idx on oauth_grants (user_id, app_id);
alter table oauth_codes add constraint oauth_codes_grant_id_fkey foreign key (grant_id) references oauth_grants(id) on delete cascade;

create table oauth_access_tokens (
  week integer not null,
  digest bytea not null,
  grant_id text collate "C" not null,
  scopes text[] not null,
  thumbprint text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint oauth_access_tokens_pkey primary key (digest, week)
) partition by range (week);
comment on table oauth_access_tokens is 'Digest of an access token. Partitioned by the week in which it expires, which the token names. No foreign keys: a token without a grant is not found.';
create table oauth_access_tokens_rest partition of oauth_access_tokens for values from (minvalue) to (maxvalue);

create table oauth_refresh_tokens (
  week integer not null,
  digest bytea not null,
  grant_id text collate "C" not null,
  thumbprint text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  constraint oauth_refresh_tokens_pkey primary key (digest, week)
) partition by range (week);
comment on table oauth_refresh_tokens is 'Digest of a refresh token, and when it was used. Partitioned by the week in which it expires.';
create table oauth_refresh_tokens_rest partition of oauth_refresh_tokens for values from (minvalue) to (maxvalue);

create function forget_remembered()
 returns trigger
 language plpgsql
as $function$
declare
  before jsonb;
  after jsonb;
begin
  if tg_op <> 'INSERT' then before := to_jsonb(old); end if;
  if tg_op <> 'DELETE' then after := to_jsonb(new); end if;
  insert into revocations (tag)
    select distinct tg_argv[0] || ':' || replace(value, '\x', '') from (values (before ->> tg_argv[1]), (after ->> tg_argv[1])) of (value)
    where value is not null;
  return null;
end $function$;
comment on function forget_remembered is 'Makes other processes stop remembering a credential that was changed or deleted.';

create trigger forget_changed after delete or update of name, secret_hash, redirect_uris, scopes, pushed_requests_only, bound_tokens_only, dpop_nonces, deleted_at on apps for each row execute function forget_remembered('app', 'id');

create trigger forget_changed after delete or update of project_id, key_hash, scopes, expires_at, revoked_at, created_by on api_keys for each row execute function forget_remembered('credential', 'id');

create trigger forget_changed after update of user_id, token_hash, expires_at on session_tokens for each row execute function forget_remembered('credential', 'id');

create trigger forget_changed after update of scopes, thumbprint, expires_at on oauth_access_tokens for each row execute function forget_remembered('token', 'digest');

create trigger forget_changed after update of app_id, user_id, project_id, scopes, revoked_at on oauth_grants for each row execute function forget_remembered('credential', 'id');

create trigger forget_changed after update on users for each row when ((old.* is distinct from new.*)) execute function forget_remembered('person', 'id');

create trigger forget_changed after delete or update of tenant_id, products on projects for each row execute function forget_remembered('project', 'id');

create trigger forget_changed after update of owner_id, limits, deletes_at on tenants for each row execute function forget_remembered('tenant', 'id');

create trigger forget_changed after delete or update of role on tenant_members for each row execute function forget_remembered('person', 'user_id');

create trigger forget_deleted after delete on oauth_access_tokens for each row when ((old.expires_at > now())) execute function forget_remembered('token', 'digest');

create trigger forget_deleted after delete on session_tokens for each row when ((old.expires_at > now())) execute function forget_remembered('credential', 'id');

create trigger forget_deleted after delete on oauth_grants for each row when ((old.expires_at > now())) execute function forget_remembered('credential', 'id');

create trigger forget_owner after update of owner_id, deletes_at on tenants for each row execute function forget_remembered('person', 'owner_id');
