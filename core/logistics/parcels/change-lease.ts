import type { Context } from '../../context.ts'
import { type Sql, type Tx, transaction } from '../../data/sql.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { newId } from '../../lib/ids.ts'
import {
  type ChangeLeaseRow,
  deleteChangeLease,
  deleteExpiredChangeLease,
  insertChangeLease,
  listExpiredChangeLeases,
  renewChangeLease,
} from './change-lease.queries.ts'
import { parcelErrors } from './parcels.errors.ts'
import { findParcel, lockParcel, type ParcelKey, type ParcelRow, updateParcel } from './parcels.queries.ts'

/** Duration of a lease that is not renewed; after it, its process has died or was stopped. */
const LEASE_SECONDS = 60
const RENEW_MS = 10_000
const WAIT_MS = 25_000
const RETRY_MS = { first: 20, most: 250 }

/** Lease for changing one parcel at its carrier. */
export interface ChangeLease {
  /** Parcel as it was when the lease began. */
  readonly parcel: ParcelRow
  /**
   * Writes a change that the carrier accepted, and ends the lease, in one transaction. If the lease had expired, another change may have
   * crossed with this one: marks the edited fields as unknown and throws `outcome_unknown`.
   */
  conclude<V>(write: (tx: Tx, now: ParcelRow) => Promise<V>): Promise<V>
}

/**
 * Serializes changes of a parcel at its carrier, over all processes. `work` calls the carrier without any lock; the lease excludes other
 * changes until the result is written. `fields` are the fields to change, null to cancel. Throws `conflict` when the lease is not acquired
 * in time.
 */
export async function withChangeLease<V>(
  context: Context,
  { projectId, id: parcelId }: ParcelKey,
  fields: readonly string[] | null,
  work: (turn: ChangeLease) => Promise<V>,
): Promise<V> {
  const { sql } = context
  const key = { projectId, id: parcelId }
  if (!(await findParcel(sql, key))) throw notFound('The parcel')
  const lease = { projectId, parcelId, id: newId('trn'), fields }
  await acquireLease(sql, lease)
  const warn = (err: unknown) => context.log.warn({ err, parcelId }, 'a change lease of a parcel ends only when it expires')
  const renewal = setInterval(() => renewChangeLease(sql, lease, LEASE_SECONDS).catch(warn), RENEW_MS)
  // A change that the carrier accepted but that cannot be written has an unknown outcome: its lease stays, and expires.
  let isLeft = false
  const conclude: ChangeLease['conclude'] = async (write) => {
    isLeft = fields !== null
    const written = await concludeChange(sql, lease, write)
    isLeft = false
    return written
  }
  try {
    const parcel = await findParcel(sql, key)
    if (!parcel) throw notFound('The parcel')
    return await work({ parcel, conclude })
  } finally {
    clearInterval(renewal)
    if (!isLeft) await deleteChangeLease(sql, lease).catch(warn)
  }
}

async function concludeChange<V>(sql: Sql, lease: ChangeLeaseRow, write: (tx: Tx, now: ParcelRow) => Promise<V>): Promise<V> {
  const written = await transaction(sql, async (tx) => {
    const now = await lockParcel(tx, { projectId: lease.projectId, id: lease.parcelId })
    if (!now) throw notFound('The parcel')
    const isOurs = await deleteChangeLease(tx, lease)
    if (isOurs || lease.fields === null) return { value: await write(tx, now) }
    await updateParcel(tx, now, { lastError: editUnknownError(lease.fields, now.lastError) })
    return undefined
  })
  if (!written) throw parcelErrors.changeTimedOut()
  return written.value
}

async function acquireLease(sql: Sql, lease: ChangeLeaseRow) {
  const until = Date.now() + WAIT_MS
  for (let ms = RETRY_MS.first; !(await insertChangeLease(sql, lease, LEASE_SECONDS)); ms = Math.min(RETRY_MS.most, ms * 2)) {
    if (Date.now() > until)
      throw parcelErrors.changeUnderWay({
        retryAfterSeconds: 5,
      })
    await expireChangeLeases(sql, lease)
    await Bun.sleep(ms)
  }
}

/** Ends expired leases, of one parcel or of all, and marks the edited fields of their parcels as unknown. */
export async function expireChangeLeases(sql: Sql, of: Parameters<typeof listExpiredChangeLeases>[1] = null) {
  for (const lease of await listExpiredChangeLeases(sql, of)) {
    await transaction(sql, async (tx) => {
      const parcel = await lockParcel(tx, { projectId: lease.projectId, id: lease.parcelId })
      const isLost = await deleteExpiredChangeLease(tx, lease)
      if (isLost && parcel && lease.fields) await updateParcel(tx, parcel, { lastError: editUnknownError(lease.fields, parcel.lastError) })
    })
  }
}

type LastError = ParcelRow['lastError']

const EDIT_UNKNOWN = 'edit_unknown'

/** Builds the `lastError` of a parcel after a change with an unknown outcome. Includes the fields that were unknown before. */
export const editUnknownError = (fields: readonly string[], before: LastError) => ({
  code: EDIT_UNKNOWN,
  message: `The outcome of the last change (${[...new Set([...unknownFields(before), ...fields])].join(', ')}) at the carrier is not known. Check it there, and send the change again.`,
})

/** Returns true when an accepted change of these fields resolves every field with an unknown outcome. */
export const resolvesUnknownEdit = (error: LastError, fields: readonly string[]): boolean =>
  error?.code === EDIT_UNKNOWN && unknownFields(error).every((field) => fields.includes(field))

const unknownFields = (error: LastError): readonly string[] =>
  error?.code === EDIT_UNKNOWN ? (/\(([^)]+)\)/.exec(error.message)?.[1]?.split(', ') ?? []) : []
