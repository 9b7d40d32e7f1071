-- What a member may do of what his role may, in words of core/http/scopes.ts; null: all of it.
alter table store_members add column permissions text[],
  add constraint store_members_owner_whole check (role <> 'owner' or permissions is null);
alter table store_invitations add column permissions text[];

drop trigger forget_changed on store_members;
create trigger forget_changed after delete or update of role, permissions on store_members for each row
  execute function forget_remembered('person', 'user_id');

-- Who may do less than all in a store does not steer what stands behind it, where he could make himself a key for all.
create or replace function projects_steered_by(who text) returns table (project_id text) language sql stable as $$
  select p.id from projects p join tenants t on t.id = p.tenant_id where t.owner_id = who
  union select p.id from projects p join tenant_members m on m.tenant_id = p.tenant_id where m.user_id = who and m.role = 'admin'
  union select s.project_id from stores s join store_members m on m.store_id = s.id
    where m.user_id = who and m.role in ('owner', 'admin') and m.permissions is null and s.deleted_at is null
$$;
