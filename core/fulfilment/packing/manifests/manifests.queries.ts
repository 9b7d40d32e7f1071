import { actorJson, actorOfJson, joinActors } from '../../../data/actors.ts'
import { equalsCondition, type KeysetPage, keysetPage } from '../../../data/keyset-page.ts'
import { eraseBySearch } from '../../../data/personal-data/search-person.ts'
import { recordsetOf } from '../../../data/rows.ts'
import { expectOne, json, type Queryable, rowValues, type Tx } from '../../../data/sql.ts'
import type { Actor } from '../../../data/tenant-context.ts'
import type { AuditActor } from '../../../platform/audit/audit.model.ts'
import type { Manifest, ManifestParcel } from './manifests.model.ts'

/** Primary key of a manifest. */
export interface ManifestKey {
  readonly projectId: string
  readonly id: string
}

/** Row of `manifests` with the names of its actors. `numeric` columns are strings. */
export interface ManifestRow extends Omit<Manifest, 'status' | 'codTotal'> {
  readonly projectId: string
  readonly codTotal: string
}

/** Row of `manifest_parcels`. */
export interface ManifestLine extends Omit<ManifestParcel, 'codAmount'> {
  readonly codAmount: string
}

const actor = (sql: Queryable, projectId: string, column: 'created_by' | 'closed_by' | 'added_by') =>
  sql`(select ${actorJson(sql)} from ${actorOfJson(sql, sql`m.${sql(column)}`)} c ${joinActors(sql, sql`c`, projectId)})`

const columns = (
  sql: Queryable,
  projectId: string,
) => sql`m.project_id, m.id, m.connection_id, m.carrier, m.currency, m.parcel_count, m.cod_total,
  m.created_at, ${actor(sql, projectId, 'created_by')} as created_by, m.closed_at,
  case when m.closed_at is not null then ${actor(sql, projectId, 'closed_by')} end as closed_by`

/** Inserts an open manifest without parcels. */
export const insertManifest = (
  sql: Queryable,
  manifest: ManifestKey & { readonly connectionId: string; readonly carrier: string; readonly currency: string },
  createdBy: Actor | null,
) => sql`insert into manifests ${rowValues(sql, { ...manifest, createdBy }, ['createdBy'])}`

/** Counts the open manifests of a project. */
export const countOpenManifests = async (sql: Queryable, projectId: string) =>
  expectOne(
    await sql<{ open: number }[]>`select count(*)::int as open from manifests where project_id = ${projectId} and closed_at is null`,
  ).open

/** Finds a manifest. */
export const findManifest = async (sql: Queryable, { projectId, id }: ManifestKey) =>
  (await sql<ManifestRow[]>`select ${columns(sql, projectId)} from manifests m where m.project_id = ${projectId} and m.id = ${id}`)[0]

/** Locks a manifest until the transaction ends. Returns false when there is none. */
export const lockManifest = async (sql: Tx, { projectId, id }: ManifestKey) =>
  (await sql`select 1 from manifests where project_id = ${projectId} and id = ${id} for update`).length > 0

/** Lists the manifests of a project. */
export const listManifests = (
  sql: Queryable,
  projectId: string,
  { connectionId, status }: { readonly connectionId?: string; readonly status?: Manifest['status'] },
  page: KeysetPage,
) =>
  sql<
    ManifestRow[]
  >`select ${columns(sql, projectId)} from manifests m where m.project_id = ${projectId} ${equalsCondition(sql, { connectionId })}
    ${status === undefined ? sql`` : sql`and (m.closed_at is null) = ${status === 'open'}`} ${keysetPage(sql, page)}`

/** Lists the parcels of a manifest, in the order of the scans. */
export const listManifestLines = (sql: Queryable, { projectId, id }: ManifestKey) =>
  sql<ManifestLine[]>`select parcel_id, tracking_id, recipient_name, city_name, cod_amount, added_at
    from manifest_parcels where project_id = ${projectId} and manifest_id = ${id} order by position`

/** Lists those of the parcels that are in a manifest, with it, and who scanned them. */
export const listManifestsOfParcels = (sql: Queryable, projectId: string, parcelIds: readonly string[]) =>
  sql<{ parcelId: string; manifestId: string; isOpen: boolean; at: string; by: AuditActor }[]>`
    select m.parcel_id, m.manifest_id, h.closed_at is null as is_open, m.added_at as at, ${actor(sql, projectId, 'added_by')} as by
    from manifest_parcels m join manifests h on h.project_id = m.project_id and h.id = m.manifest_id
    where m.project_id = ${projectId} and m.parcel_id = any (${parcelIds as string[]})`

/** Adds parcels to a manifest, and counts them. The caller must have locked it. */
export async function insertManifestLines(
  sql: Tx,
  { projectId, id: manifestId }: ManifestKey,
  lines: readonly Omit<ManifestLine, 'addedAt'>[],
  addedBy: Actor | null,
) {
  if (lines.length === 0) return
  const { names, from } = recordsetOf(
    sql,
    'manifest_parcels',
    lines.map((line) => ({ ...line, projectId, manifestId })),
  )
  await sql`with present as (select coalesce(max(position), 0) as last from manifest_parcels where project_id = ${projectId} and manifest_id = ${manifestId}),
      added as (insert into manifest_parcels (${names}, position, added_by)
        select r.*, present.last + row_number() over (), ${addedBy && json(sql, addedBy)}::jsonb
        from (select ${names} from ${from}) r, present returning cod_amount)
    update manifests set parcel_count = parcel_count + (select count(*) from added), cod_total = cod_total + (select sum(cod_amount) from added)
    where project_id = ${projectId} and id = ${manifestId}`
}

/** Removes parcels from a manifest, and from its counts. Returns the number of those that were in it. The caller must have locked it. */
export async function deleteManifestLines(sql: Tx, { projectId, id }: ManifestKey, parcelIds: readonly string[]): Promise<number> {
  const [row] = await sql<{ removed: number }[]>`with removed as (delete from manifest_parcels
      where project_id = ${projectId} and manifest_id = ${id} and parcel_id = any (${parcelIds as string[]}) returning cod_amount),
    counted as (update manifests set parcel_count = parcel_count - (select count(*) from removed),
      cod_total = cod_total - (select coalesce(sum(cod_amount), 0) from removed) where project_id = ${projectId} and id = ${id})
    select count(*)::int as removed from removed`
  return row?.removed ?? 0
}

/** Copies the present state of the parcels to a manifest. The caller must have locked both. */
export const refreshManifestLines = (sql: Tx, { projectId, id }: ManifestKey, lines: readonly Omit<ManifestLine, 'addedAt'>[]) => {
  const { set, from } = recordsetOf(sql, 'manifest_parcels', lines, ['parcelId'])
  return sql`update manifest_parcels m set ${set} from ${from} r
    where m.project_id = ${projectId} and m.manifest_id = ${id} and m.parcel_id = r.parcel_id`
}

/** Closes a manifest and computes its total. */
export const updateManifestClosed = (sql: Tx, { projectId, id }: ManifestKey, closedBy: Actor | null) =>
  sql`update manifests set closed_at = now(), closed_by = ${closedBy && json(sql, closedBy)}::jsonb,
      cod_total = (select sum(cod_amount) from manifest_parcels where project_id = ${projectId} and manifest_id = ${id})
    where project_id = ${projectId} and id = ${id}`

/** Deletes a manifest with its list. */
export const deleteManifestRow = (sql: Tx, { projectId, id }: ManifestKey) =>
  sql`delete from manifests where project_id = ${projectId} and id = ${id}`

/** Names of recipients in manifests, for the search of personal data. */
export const personalManifests = eraseBySearch({
  table: 'manifest_parcels',
  owner: 'parcel',
  key: ['manifest_id', 'parcel_id'],
  columns: { recipient_name: 'whole' },
})
