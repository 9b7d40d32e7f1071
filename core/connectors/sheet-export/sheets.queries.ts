import { expectOne, type Queryable, rowValues, type Tx } from '../../data/sql.ts'
import type { WrittenFields } from './columns/cells.ts'
import type { SheetColumn } from './sheets.model.ts'

/** Sheet that receives a store's orders, as it is stored. */
export interface SheetTargetRow {
  readonly projectId: string
  readonly connectionId: string
  /** New for each sheet. The recorded state of rows is valid for one generation only. */
  readonly generation: string
  readonly spreadsheetId: string
  readonly tabId: string
  readonly keyHeader: string
  readonly columns: SheetColumn[]
  readonly statuses: string[] | null
  readonly since: string
  /** Time until which no attempt is made, after a failure. */
  readonly restsUntil: string | null
  readonly failures: number
  readonly problem: string | null
  readonly problemSince: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** Primary key of a target. */
export type TargetKey = Pick<SheetTargetRow, 'projectId' | 'connectionId'>

/** Columns that a new target sets. */
export type NewSheetTargetRow = Pick<
  SheetTargetRow,
  'projectId' | 'connectionId' | 'generation' | 'spreadsheetId' | 'tabId' | 'keyHeader' | 'columns' | 'statuses' | 'since'
>

/** Presence of a row in the sheet. `maybe`: the call that was to write it got no answer. `gone`: a user deleted it. */
export type RowPresence = 'no' | 'maybe' | 'yes' | 'gone'

/** Row of an order in a sheet, as it is recorded. */
export interface SheetRow {
  readonly orderId: string
  readonly stands: RowPresence
  /** Number of the latest requested change. The row is written once this is not greater than what was written last. */
  readonly wanted: number
  /** Version of the order that was written; null if unknown. */
  readonly orderVersion: number | null
  readonly fields: WrittenFields
}

/** Finds the sheet that receives the orders of a connection. */
export const findTarget = async (sql: Queryable, { projectId, connectionId }: TargetKey) =>
  (await sql<SheetTargetRow[]>`select * from sheet_targets where project_id = ${projectId} and connection_id = ${connectionId}`)[0]

/** Locks the target until the transaction ends, and returns it. */
export const lockTarget = async (sql: Tx, { projectId, connectionId }: TargetKey) =>
  (
    await sql<SheetTargetRow[]>`select * from sheet_targets where project_id = ${projectId} and connection_id = ${connectionId} for update`
  )[0]

/** Locks the target against changes until the transaction ends. Returns false if it is another sheet by now. */
export const lockIfSameTarget = async (
  sql: Tx,
  { projectId, connectionId, generation }: Pick<SheetTargetRow, 'projectId' | 'connectionId' | 'generation'>,
) =>
  (
    await sql`select 1 from sheet_targets where project_id = ${projectId} and connection_id = ${connectionId} and generation = ${generation} for share`
  ).length > 0

/**
 * Inserts or replaces a target and clears its failures. Open transactions do not see it yet, so orders are looked up again after
 * `fillsInSeconds`.
 */
export const upsertTarget = (sql: Tx, target: NewSheetTargetRow, fillsInSeconds: number) =>
  sql`insert into sheet_targets ${rowValues(sql, { ...target, fillsAt: new Date(Date.now() + fillsInSeconds * 1000) }, ['columns'])}
    on conflict (project_id, connection_id) do update set generation = excluded.generation, spreadsheet_id = excluded.spreadsheet_id, tab_id = excluded.tab_id,
      key_header = excluded.key_header, columns = excluded.columns, statuses = excluded.statuses, since = excluded.since, fills_at = excluded.fills_at,
      rests_until = null, failures = 0, problem = null, problem_since = null, updated_at = now()`

/** Deletes a target and the state of its rows. */
export const deleteTarget = async (sql: Tx, key: TargetKey) => {
  const { projectId, connectionId } = key
  await sql`delete from sheet_targets where project_id = ${projectId} and connection_id = ${connectionId}`
  await deleteRows(sql, key)
}
/** Deletes the state of all rows of a connection. */
export const deleteRows = (sql: Tx, { projectId, connectionId }: TargetKey) =>
  sql`delete from sheet_rows where project_id = ${projectId} and connection_id = ${connectionId}`

/** Inserts rows for orders that lack one, oldest first. Their presence is `maybe`, since the sheet may hold them already. */
export const insertMissingRows = (sql: Queryable, { projectId, connectionId }: TargetKey, limit: number) =>
  sql`insert into sheet_rows (project_id, connection_id, order_id, stands)
    select t.project_id, t.connection_id, o.id, 'maybe' from sheet_targets t join orders o on o.project_id = t.project_id
    where t.project_id = ${projectId} and t.connection_id = ${connectionId} and o.created_at >= t.since and o.deleted_at is null and (t.statuses is null or o.status = any (t.statuses))
      and not exists (select 1 from sheet_rows r where r.project_id = t.project_id and r.connection_id = t.connection_id and r.order_id = o.id)
    order by o.id limit ${limit} on conflict (project_id, connection_id, order_id) do nothing`

/**
 * Requests the rows of orders in every target that has one already. A target also gets a new row for an order since its beginning that has
 * reached one of its statuses.
 */
export const requestRowsOfTargets = async (
  sql: Tx,
  orders: readonly { readonly projectId: string; readonly orderId: string; readonly toStatus: string }[],
) =>
  void (await sql`insert into sheet_rows (project_id, connection_id, order_id)
    select t.project_id, t.connection_id, o.id
    from (select project_id, order_id, array_agg(status) as statuses from unnest(${orders.map(({ projectId }) => projectId)}::text[],
        ${orders.map(({ orderId }) => orderId)}::text[], ${orders.map(({ toStatus }) => toStatus)}::text[]) u (project_id, order_id, status)
      group by project_id, order_id) c
    join sheet_targets t on t.project_id = c.project_id
    join orders o on o.project_id = c.project_id and o.id = c.order_id
    where exists (select 1 from sheet_rows r where r.project_id = t.project_id and r.connection_id = t.connection_id and r.order_id = o.id)
      or (o.created_at >= t.since and o.deleted_at is null and (t.statuses is null or c.statuses && t.statuses))
    order by t.project_id, t.connection_id, o.id
    on conflict (project_id, connection_id, order_id) do update set wanted = sheet_rows.wanted + 1`)

/** Lists targets whose missing orders are due to be looked up. */
export const listUnfilledTargets = (sql: Queryable, limit: number) =>
  sql<TargetKey[]>`select project_id, connection_id from sheet_targets where fills_at <= now() order by fills_at limit ${limit}`
/** Records that the missing orders of a target were looked up. */
export const markTargetFilled = (sql: Queryable, { projectId, connectionId }: TargetKey) =>
  sql`update sheet_targets set fills_at = null where project_id = ${projectId} and connection_id = ${connectionId} and fills_at <= now()`

/** Requests that all existing rows are written completely. */
export const requestAllRows = (sql: Tx, { projectId, connectionId }: TargetKey) =>
  sql`update sheet_rows set wanted = wanted + 1, order_version = null where project_id = ${projectId} and connection_id = ${connectionId} and stands = 'yes'`

/** Requests the row of an order, also if a user deleted it. Its position is looked up before it is written. */
export const requestRow = (sql: Tx, { projectId, connectionId }: TargetKey, orderId: string) =>
  sql`insert into sheet_rows (project_id, connection_id, order_id) values (${projectId}, ${connectionId}, ${orderId})
    on conflict (project_id, connection_id, order_id) do update set wanted = sheet_rows.wanted + 1, order_version = null,
      stands = case sheet_rows.stands when 'no' then 'no' else 'maybe' end, retry_after = null`

const PUT_OFF_MINUTES_MAX = 60

/** Delays rows that the sheet refuses, twice as long each time and at most an hour. Records why. */
export const delayRows = async (sql: Tx, { projectId, connectionId }: TargetKey, orderIds: readonly string[], why: string) => {
  await sql`update sheet_rows set refusals = refusals + 1,
    retry_after = now() + least(power(2, least(refusals, 10)), ${PUT_OFF_MINUTES_MAX}) * interval '1 minute'
    where project_id = ${projectId} and connection_id = ${connectionId} and order_id = any (${orderIds as string[]})`
  await sql`update sheet_targets set problem = ${why}, problem_since = coalesce(problem_since, now()) where project_id = ${projectId} and connection_id = ${connectionId}`
}

/** Makes delayed rows due now. */
export const retryRows = (sql: Queryable, { projectId, connectionId }: TargetKey) =>
  sql`update sheet_rows set retry_after = null where project_id = ${projectId} and connection_id = ${connectionId} and retry_after is not null`

/** Counts the rows of a target that wait, are written or are gone. */
export const countRows = async (sql: Queryable, { projectId, connectionId }: TargetKey) =>
  expectOne(
    await sql<{ waiting: number; written: number; gone: number }[]>`
      select count(*) filter (where wanted > written and stands <> 'gone')::int as waiting,
        count(*) filter (where wanted <= written and stands <> 'gone')::int as written, count(*) filter (where stands = 'gone')::int as gone
      from sheet_rows where project_id = ${projectId} and connection_id = ${connectionId}`,
  )

/** Lists targets with due rows that may be written now. */
export const listDueTargets = (sql: Queryable, limit: number) =>
  sql<TargetKey[]>`
    select t.project_id, t.connection_id from sheet_targets t join integrations i on i.project_id = t.project_id and i.id = t.connection_id join stores s on s.project_id = t.project_id
    where i.enabled and i.deleted_at is null and s.deleted_at is null and (t.rests_until is null or t.rests_until <= now())
      and exists (select 1 from sheet_rows r where r.project_id = t.project_id and r.connection_id = t.connection_id and r.wanted > r.written and r.stands <> 'gone'
        and coalesce(r.retry_after, '-infinity') <= now())
    order by t.rests_until nulls first limit ${limit}`

/** Lists due rows, new ones first and then the oldest, so that new orders never wait for changes. */
export const listDueRows = (sql: Queryable, { projectId, connectionId }: TargetKey, limit: number) =>
  sql<SheetRow[]>`select order_id, stands, wanted, order_version, fields from sheet_rows
    where project_id = ${projectId} and connection_id = ${connectionId} and wanted > written and stands <> 'gone' and coalesce(retry_after, '-infinity') <= now()
    order by stands = 'yes', order_id limit ${limit}`

/** Records the presence of rows. */
export const markRowPresence = (sql: Tx, { projectId, connectionId }: TargetKey, orderIds: readonly string[], stands: RowPresence) =>
  sql`update sheet_rows set stands = ${stands} where project_id = ${projectId} and connection_id = ${connectionId} and order_id = any (${orderIds as string[]})`

/** Records that users deleted these rows, except those that were requested again since they were read. */
export const markRowsGone = (sql: Tx, { projectId, connectionId }: TargetKey, rows: readonly Pick<SheetRow, 'orderId' | 'wanted'>[]) =>
  sql`update sheet_rows r set stands = 'gone'
    from unnest(${rows.map(({ orderId }) => orderId)}::text[], ${rows.map(({ wanted }) => wanted)}::bigint[]) g (order_id, wanted)
    where r.project_id = ${projectId} and r.connection_id = ${connectionId} and r.order_id = g.order_id and r.wanted = g.wanted`

/** Records the fields that a call is about to write as unknown until it is answered. */
export const markFieldsUnknown = (sql: Tx, { projectId, connectionId }: TargetKey, rows: readonly Pick<SheetRow, 'orderId' | 'fields'>[]) =>
  sql`update sheet_rows r set fields = r.fields || g.fields::jsonb
    from unnest(${rows.map(({ orderId }) => orderId)}::text[], ${rows.map(({ fields }) => JSON.stringify(markUnknown(fields)))}::text[]) g (order_id, fields)
    where r.project_id = ${projectId} and r.connection_id = ${connectionId} and r.order_id = g.order_id`

const markUnknown = (fields: WrittenFields): WrittenFields => Object.fromEntries(Object.keys(fields).map((field) => [field, null]))

/** Records rows as present and written in the version that was read. */
export const markRowsWritten = (sql: Tx, { projectId, connectionId }: TargetKey, rows: readonly SheetRow[]) =>
  sql`update sheet_rows r set stands = 'yes', written = g.wanted, order_version = g.version, fields = r.fields || g.fields::jsonb,
      refusals = 0, retry_after = null
    from unnest(${rows.map(({ orderId }) => orderId)}::text[], ${rows.map(({ wanted }) => wanted)}::bigint[],
      ${rows.map(({ orderVersion }) => orderVersion)}::integer[], ${rows.map(({ fields }) => JSON.stringify(fields))}::text[]) g (order_id, wanted, version, fields)
    where r.project_id = ${projectId} and r.connection_id = ${connectionId} and r.order_id = g.order_id`

/** Deletes rows of deleted orders that were never written. */
export const deleteUnwrittenRows = (sql: Tx, { projectId, connectionId }: TargetKey, orderIds: readonly string[]) =>
  sql`delete from sheet_rows where project_id = ${projectId} and connection_id = ${connectionId} and order_id = any (${orderIds as string[]}) and stands = 'no'`

/** Deletes rows without a target. */
export const deleteStrayRows = (sql: Queryable) =>
  sql`delete from sheet_rows r where not exists (select 1 from sheet_targets t where t.project_id = r.project_id and t.connection_id = r.connection_id)`

/** Pauses a target, and records a problem and a failure if one is given. */
export const pauseTarget = (
  sql: Queryable,
  { projectId, connectionId, generation }: Pick<SheetTargetRow, 'projectId' | 'connectionId' | 'generation'>,
  seconds: number,
  problem: string | null,
) =>
  sql`update sheet_targets set rests_until = now() + ${seconds}::float8 * interval '1 second',
      failures = failures + ${problem === null ? 0 : 1}, problem = coalesce(${problem}, problem),
      problem_since = case when ${problem}::text is null then problem_since else coalesce(problem_since, now()) end
    where project_id = ${projectId} and connection_id = ${connectionId} and generation = ${generation}`

/** Ends the pause of a target and clears its problem, unless refused rows remain. */
export const resumeTarget = (sql: Queryable, { projectId, connectionId }: TargetKey) =>
  sql`update sheet_targets t set rests_until = null, failures = 0, problem = case when ${hasDelayedRows(sql)} then problem end,
      problem_since = case when ${hasDelayedRows(sql)} then problem_since end
    where project_id = ${projectId} and connection_id = ${connectionId} and (problem is not null or rests_until is not null)`
const hasDelayedRows = (
  sql: Queryable,
) => sql`exists (select 1 from sheet_rows r where r.project_id = t.project_id and r.connection_id = t.connection_id
  and r.retry_after is not null and r.wanted > r.written and r.stands <> 'gone')`

/**
 * Acquires or extends the lease to write a file, across connections. It expires by itself if its owner dies. Returns false if another owner
 * has it.
 */
export const acquireFileLease = async (sql: Queryable, file: string, by: string, seconds: number) =>
  (
    await sql`insert into sheet_leases (file, by, until) values (${file}, ${by}, now() + ${seconds} * interval '1 second')
      on conflict (file) do update set by = excluded.by, until = excluded.until where sheet_leases.until < now() or sheet_leases.by = excluded.by returning 1`
  ).length > 0

/** Releases the lease. */
export const releaseFileLease = (sql: Queryable, file: string, by: string) =>
  sql`delete from sheet_leases where file = ${file} and by = ${by}`
