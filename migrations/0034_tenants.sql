-- Limits of its own, where it has some; and since when, and for how long, it can be taken back after its deletion.
alter table tenants
  add column limits jsonb not null default '{}',
  add column updated_at timestamptz not null default now(),
  add column deletes_at timestamptz,
  add column removing boolean not null default false,
  add check (deletes_at is not null or not removing);
create index on tenants (owner_id, id);
create index on tenants (name, id);
create index tenants_words on tenants using gin (lower(name) gin_trgm_ops);
create index on tenants (deletes_at) where deletes_at is not null;
create index on projects (name, id);
create index projects_of_tenant_by_name on projects (tenant_id, name, id);
create index projects_words on projects using gin (lower(name) gin_trgm_ops);

-- Its people beside its owner.
create table tenant_members (
  tenant_id integer not null references tenants on delete cascade,
  user_id text collate "C" not null references users on delete cascade,
  role text not null check (role in ('admin', 'member')),
  created_at timestamptz not null default now(),
  primary key (tenant_id, user_id)
);
create index on tenant_members (user_id, tenant_id);

-- Projects that a person may steer: of tenants that he owns or administers, and those behind stores that he owns or administers.
create function projects_steered_by(who text) returns table (project_id text) language sql stable as $$
  select p.id from projects p join tenants t on t.id = p.tenant_id where t.owner_id = who
  union select p.id from projects p join tenant_members m on m.tenant_id = p.tenant_id where m.user_id = who and m.role = 'admin'
  union select s.project_id from stores s join store_members m on m.store_id = s.id
    where m.user_id = who and m.role in ('owner', 'admin') and s.deleted_at is null
$$;

alter table api_keys add column last_used_at timestamptz;
create index on api_keys (project_id, name, id);

-- What processes may remember no more of credentials. Each reads on from where it stood, by transactions: they commit in another order
-- than they begin. Kept for longer than anything is remembered.
create table revocations (
  id bigint generated always as identity primary key,
  xid xid8 not null default pg_current_xact_id(),
  tag text not null,
  at timestamptz not null default clock_timestamp()
);
create index on revocations (xid);
create index on revocations (at);

-- Written where the rows change, whoever changes them. Arguments: what a column names, and the column.
create function forget_remembered() returns trigger language plpgsql as $$
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
end $$;

create trigger forget_deleted after delete on session_tokens for each row when (old.expires_at > now())
  execute function forget_remembered('credential', 'id');
create trigger forget_changed after update of user_id, token_hash, expires_at on session_tokens for each row
  execute function forget_remembered('credential', 'id');
create trigger forget_changed after delete or update of project_id, key_hash, scopes, expires_at, revoked_at, created_by on api_keys for each row
  execute function forget_remembered('credential', 'id');
create trigger forget_deleted after delete on oauth_grants for each row when (old.expires_at > now())
  execute function forget_remembered('credential', 'id');
create trigger forget_changed after update of app_id, user_id, project_id, scopes, revoked_at on oauth_grants for each row
  execute function forget_remembered('credential', 'id');
create trigger forget_deleted after delete on oauth_access_tokens for each row when (old.expires_at > now())
  execute function forget_remembered('token', 'digest');
create trigger forget_changed after update of scopes, thumbprint, expires_at on oauth_access_tokens for each row
  execute function forget_remembered('token', 'digest');
create trigger forget_changed after update on users for each row when (old is distinct from new)
  execute function forget_remembered('person', 'id');
create trigger forget_changed after delete or update of tenant_id, products on projects for each row
  execute function forget_remembered('project', 'id');
create trigger forget_changed after update of owner_id, limits, deletes_at on tenants for each row
  execute function forget_remembered('tenant', 'id');
create trigger forget_owner after update of owner_id, deletes_at on tenants for each row
  execute function forget_remembered('person', 'owner_id');
create trigger forget_changed after delete or update of role on tenant_members for each row
  execute function forget_remembered('person', 'user_id');
create trigger forget_changed after delete or update of role on store_members for each row
  execute function forget_remembered('person', 'user_id');
create trigger forget_changed after delete or update of project_id, deleted_at on stores for each row
  execute function forget_remembered('project', 'project_id');

-- Ledgers are kept for as long as whoever they belong to: with a tenant that is removed they go, and nobody else says so.
create or replace function inventory_refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('serai.removes_tenant', true) = 'yes' then return null; end if;
  raise exception '% is a ledger: its rows are never changed or deleted. Post a reversal instead.', tg_table_name using errcode = 'restrict_violation';
end
$$;
create or replace function cash_refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('serai.removes_tenant', true) = 'yes' then return null; end if;
  raise exception '% is a ledger: its rows are never changed or deleted. Post what undoes them instead.', tg_table_name using errcode = 'restrict_violation';
end
$$;
