import { actorNameColumn, joinActors } from '../../data/actors.ts'
import { equalsCondition, keysetPage } from '../../data/keyset-page.ts'
import { projectIdOf } from '../../data/project-ids.ts'
import { json, type Queryable } from '../../data/sql.ts'
import type { AuditEntry, AuditQuery } from './audit.model.ts'

/** Store of a change, named by its own id or by the project that backs it. A project may have no store. */
export type AuditedStore = { readonly storeId: string } | { readonly projectId: string }

interface Entry {
  readonly id: string
  readonly byId: string
  readonly byKind: string
  readonly appId: string | null
  readonly adminId: string | null
  readonly what: string
  readonly thing: string
  readonly before: object | null
  readonly after: object | null
}

/** Inserts the audit entries of one store. Inserts nothing if the project has no store. */
export const insertAuditEntries = (sql: Queryable, of: AuditedStore, entries: readonly Entry[]) =>
  sql`insert into audit_entries (project_id, id, by_id, by_kind, app_id, admin_id, what, thing, before, after)
    select s.project_id, r.id, r."byId", r."byKind", r."appId", r."adminId", r.what, r.thing, r.before, r.after
    from stores s cross join jsonb_to_recordset(${json(sql, entries)}::jsonb) as r
      (id text, "byId" text, "byKind" text, "appId" text, "adminId" text, what text, thing text, before jsonb, after jsonb)
    where s.project_id = ${'storeId' in of ? projectIdOf(of.storeId) : of.projectId}`

/** Lists audit entries of a store, newest first. `first` and `beyond` bound their ids: the first inclusive, the last exclusive. */
export const listAuditEntries = (
  sql: Queryable,
  storeId: string,
  { filter: { what, thing, by }, page: part }: AuditQuery,
  { first, beyond }: { readonly first: string | null; readonly beyond: string | null },
) =>
  sql<AuditEntry[]>`
    select e.id, e.what, e.thing, e.before, e.after, e.created_at, jsonb_build_object('kind', e.by_kind, 'id', nullif(e.by_id, ''),
      'name', ${actorNameColumn(sql)}, 'appId', e.app_id, 'appName', p.name,
      'administrator', case when e.admin_id is not null then jsonb_build_object('id', e.admin_id, 'name', a.name) end) as by
    from audit_entries e ${joinActors(sql, sql`e`, projectIdOf(storeId))}
    where e.project_id = ${projectIdOf(storeId)} ${equalsCondition(sql, { 'e.what': what, 'e.thing': thing, 'e.by_id': by })}
    ${first === null ? sql`` : sql`and e.id >= ${first}`} ${beyond === null ? sql`` : sql`and e.id < ${beyond}`} ${keysetPage(sql, part, 'e.id')}`
