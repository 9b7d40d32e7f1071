import { keyedByProject, storeIdColumn } from '../../../data/project-ids.ts'
import { type Queryable, rowValues } from '../../../data/sql.ts'

/** Pending connection of a shop that sends keys, as it is stored. */
export interface InstallLinkRow {
  readonly digest: string
  readonly storeId: string
  readonly key: string
  readonly shop: string
  readonly name: string
  readonly begunBy: string
  readonly outcome: 'connected' | 'failed' | null
}

/** Inserts a link that expires after `minutes`. */
export const insertInstallLink = (sql: Queryable, link: Omit<InstallLinkRow, 'outcome'>, minutes: number) =>
  sql`insert into connector_links ${rowValues(sql, { ...keyedByProject(link), expiresAt: new Date(Date.now() + minutes * 60_000) })}`

/** Consumes a link, so that it works once; undefined if it is used or expired. */
export const consumeInstallLink = async (sql: Queryable, key: string, digest: string) =>
  (
    await sql<InstallLinkRow[]>`update connector_links set outcome = 'failed' where digest = ${digest} and key = ${key} and outcome is null
      and expires_at > now() returning *, ${storeIdColumn(sql, 'connector_links')}`
  )[0]

/** Records the outcome of a link. */
export const recordInstallOutcome = (sql: Queryable, digest: string, outcome: InstallLinkRow['outcome']) =>
  sql`update connector_links set outcome = ${outcome} where digest = ${digest}`

/** Finds a link by the digest of its state. */
export const findInstallLink = async (sql: Queryable, key: string, digest: string) =>
  (
    await sql<
      InstallLinkRow[]
    >`select *, ${storeIdColumn(sql, 'connector_links')} from connector_links where key = ${key} and digest = ${digest}`
  )[0]

/** Deletes links that expired more than a day ago. */
export const deleteExpiredInstallLinks = (sql: Queryable) => sql`delete from connector_links where expires_at < now() - interval '1 day'`

/**
 * Returns true if the user or project may still connect the store: as its project, one of its administrators, or an administrator of the
 * platform.
 */
export const canStillConnect = async (sql: Queryable, { storeId, begunBy }: Pick<InstallLinkRow, 'storeId' | 'begunBy'>) =>
  (
    await sql`select 1 from stores s where s.id = ${storeId} and s.deleted_at is null and (s.project_id = ${begunBy}
      or exists (select 1 from store_members m where m.store_id = s.id and m.user_id = ${begunBy} and m.role in ('owner', 'admin')
        and (m.permissions is null or 'stores:write' = any(m.permissions)))
      or exists (select 1 from users u where u.id = ${begunBy} and u.is_admin))`
  ).length > 0
