import type { Context } from '../../../context.ts'
import { transaction } from '../../../data/sql.ts'
import type { CarrierConnection } from '../../../integrations/connections/connection.ts'
import { ERASED } from '../../../lib/person/person-matcher.ts'
import { uncountable } from '../amounts.ts'
import { adaptDestination } from '../change/adapt.ts'
import { lockParcel, type ParcelRow, updateParcel } from '../parcels.queries.ts'
import { isHeldAs, leaseOf } from './lease.ts'
import { type Outcome, outcomeOf } from './outcome.ts'
import { renewClaims } from './submission.queries.ts'

/** A claimed parcel, as it was asked for and as it goes. */
export interface Ready {
  readonly asked: ParcelRow
  readonly parcel: ParcelRow
}

export interface Prepared {
  readonly ready: readonly Ready[]
  /** Those that could not be made ready, and why. */
  readonly failed: readonly (Ready & { readonly outcome: Outcome })[]
  /** When they were claimed anew, by `performance.now()`; unset where they were not. */
  readonly takenAt?: number
}

/** Getting ready for longer, the sending begins anew. */
const SOON_MS = 500

/** Makes claimed parcels ready to go where the carrier can deliver. Those that others took over meanwhile are left out. */
export async function prepare(context: Context, connection: CarrierConnection, claimed: readonly ParcelRow[]): Promise<Prepared> {
  const began = performance.now()
  const ready: Ready[] = []
  const failed: (Ready & { outcome: Outcome })[] = []
  // One after another: those that go to one place are told by what the first of them learned.
  for (const asked of claimed) {
    const one = await prepareOne(context, connection, asked)
    if ('kind' in one) failed.push({ asked, parcel: asked, outcome: one })
    else ready.push({ asked, parcel: one })
  }
  const takenAt = performance.now()
  return takenAt - began > SOON_MS ? { ready: await renewed(context, connection, ready), failed, takenAt } : { ready, failed }
}

/** The carrier may know of them from now on, not since they were claimed. */
async function renewed({ sql }: Context, connection: CarrierConnection, ready: readonly Ready[]): Promise<Ready[]> {
  const rows = await renewClaims(
    sql,
    connection.row.projectId,
    ready.map(({ parcel }) => parcel),
    leaseOf(connection),
  )
  const since = new Map(rows.map(({ id, submittingSince }) => [id, submittingSince]))
  return ready.flatMap(({ asked, parcel }) => {
    const submittingSince = since.get(parcel.id)
    return submittingSince ? [{ asked, parcel: { ...parcel, submittingSince } }] : []
  })
}

const erased = {
  code: 'person_erased',
  message: 'The personal data of this parcel was erased: nobody can deliver it any more. Cancel it.',
}

const takesNothing = (label: string) => ({
  code: 'takes_nothing_back',
  message: `${label} brings nothing back from the door, and this parcel is one of an exchange. Send it with another carrier.`,
})

/** The parcel as the carrier can deliver it, written down before it goes; or why it could not be asked. */
async function prepareOne(context: Context, connection: CarrierConnection, asked: ParcelRow): Promise<ParcelRow | Outcome> {
  const { carrier } = connection.mounted
  if (asked.takesBack !== null && !carrier.exchanges) return { kind: 'refused', ...takesNothing(carrier.label) }
  if (asked.recipient.phone === ERASED) return { kind: 'refused', ...erased }
  const strange = uncountable(connection, asked)
  if (strange) return { kind: 'refused', ...strange }
  try {
    const { destination, warnings, rewritten } = await adaptDestination(context, connection, asked.destination)
    if (!destination) return asked
    const told = { warnings, ...(rewritten && { rewritten }) }
    return await transaction(context.sql, async (tx) => {
      const now = await lockParcel(tx, asked)
      // Others that have it by now say the same of it.
      if (!now || !isHeldAs(asked, now)) return { ...asked, destination, told }
      return updateParcel(tx, asked, { destination, told })
    })
  } catch (error) {
    return outcomeOf(error, { sent: false })
  }
}
