import { CashBatch } from '../../../plugins/carrier/model.ts'
import type { LineOutcome, Payout } from '../../../plugins/carrier/segments.model.ts'
import type { Context } from '../../context.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { ApiError, notFound } from '../../http/errors/errors.ts'
import { callAdapter } from '../../integrations/connections/calls/call.ts'
import type { CarrierConnection } from '../../integrations/connections/connection.ts'
import { cancelCash, confirmCash } from '../../logistics/parcels/lifecycle/move-cash.ts'
import { insertEntries, listAdjusted, listDependent, type NewEntry, setStanding, type Undone, undoRemittance } from './entries.queries.ts'
import { restateDeliveries } from './follow-parcel.ts'
import { type Judged, judge } from './judge.ts'
import { forgetNotes, holdNamed, matchLines, noteLines } from './lines.queries.ts'
import { presentPayout } from './payouts.ts'
import { keyOf, pullPayout } from './pull.ts'
import {
  findRemittance,
  lockRemittance,
  markConfirmed,
  markReversed,
  type RemittanceKey,
  type RemittanceRow,
} from './remittances.queries.ts'

/**
 * A payout arrived: what it pays is settled. The carrier is told first, which may be repeated; then everything is posted in one
 * transaction, so that a failure in between leaves a payout that is simply confirmed again. Confirmed twice, it is posted once.
 */
export async function confirmPayout(context: Context, connection: CarrierConnection, id: string): Promise<Payout> {
  const key = keyOf(connection, id)
  const known = await findRemittance(context.sql, key)
  if (known?.state === 'confirmed') return presentPayout(known)
  await pullPayout(context, connection, id, known)
  const payout = await findRemittance(context.sql, key)
  if (!payout) throw notFound('The payout')
  await tellCarrier(context, connection, payout)
  return presentPayout(await transaction(context.sql, (tx) => settle(tx, key)))
}

async function tellCarrier(context: Context, connection: CarrierConnection, { id, source, carrierStatus }: RemittanceRow) {
  const confirm = connection.row.enabled ? connection.mounted.carrier.cash?.confirm : undefined
  if (!confirm || source !== 'carrier' || carrierStatus === 'payout_confirmed') return
  await callAdapter(context, connection, (_carrier, adapter) => confirm(adapter, id), { operation: 'cashConfirm', schema: CashBatch })
}

async function settle(tx: Tx, key: RemittanceKey): Promise<RemittanceRow> {
  const payout = await lockRemittance(tx, key)
  if (!payout) throw notFound('The payout')
  if (payout.state === 'confirmed') return payout
  await holdNamed(tx, key)
  const at = new Date().toISOString()
  // Read again: what another payout settled while we waited for the parcels is settled now.
  for await (const lines of matchLines(tx, key)) await post(tx, key, lines.map(judge), at)
  return markConfirmed(tx, key, at)
}

async function post(tx: Tx, key: RemittanceKey, judged: readonly Judged[], at: string) {
  await insertEntries(
    tx,
    judged.flatMap((line) => entryOf(key, line, at)),
  )
  await noteLines(
    tx,
    key,
    judged.map(({ matched, ...line }) => ({ ...line, line: matched.line, parcelId: matched.parcel?.id ?? null })),
  )
  await confirmCash(tx, key.projectId, parcelsOf(judged.filter(({ posting, amount }) => posting && amount > 0n)))
  const deducted = judged.filter(({ outcome }) => outcome === 'deducted')
  if (deducted.length === 0) return
  const parcelIds = parcelsOf(deducted)
  await setStanding(tx, key.projectId, takenBackBy(deducted), false)
  await restateDeliveries(tx, key, await listAdjusted(tx, key.projectId, parcelIds))
  await cancelCash(tx, key.projectId, parcelIds)
}

const parcelsOf = (lines: readonly Judged[]) => lines.flatMap(({ matched }) => matched.parcel?.id ?? [])
const takenBackBy = (lines: readonly Judged[]) => lines.flatMap(({ takesBack }) => takesBack?.id ?? [])

const kinds: Partial<Record<LineOutcome, NewEntry['kind']>> = { deducted: 'deduction', charged: 'charge' }

function entryOf({ projectId, connectionId, id }: RemittanceKey, { matched, outcome, posting, takesBack }: Judged, at: string): NewEntry[] {
  if (!posting) return []
  const takesBackId = takesBack?.id ?? null
  const parcelId = matched.parcel?.id ?? null
  return [{ projectId, connectionId, kind: kinds[outcome] ?? 'remittance', parcelId, remittanceId: id, takesBackId, at, posting }]
}

/**
 * Takes the confirmation of a payout back by the opposite entries: its parcels are owed again, and this or another payout may pay
 * them; what it took back stands as paid again. Reversed twice, it is reversed once. The carrier is not told: none can be. Throws
 * `invalid_transition` for a draft, and `conflict` where a later payout stands on this one.
 */
export async function reversePayout(context: Context, connection: CarrierConnection, id: string): Promise<Payout> {
  const key = keyOf(connection, id)
  return presentPayout(
    await transaction(context.sql, async (tx) => {
      const payout = await lockRemittance(tx, key)
      if (!payout) throw notFound('The payout')
      if (payout.state === 'reversed') return payout
      if (payout.state === 'draft')
        throw new ApiError('invalid_transition', 'The payout is not confirmed, so there is nothing to reverse. Confirm it when it arrives.')
      await holdNamed(tx, key)
      await refuseDependent(tx, key)
      const at = new Date().toISOString()
      await standAgain(tx, key, await undoRemittance(tx, key, at))
      await forgetNotes(tx, key)
      return markReversed(tx, key, at)
    }),
  )
}

async function refuseDependent(tx: Tx, key: RemittanceKey) {
  const dependent = await listDependent(tx, key)
  if (dependent.length === 0) return
  const said = dependent.map(({ id, parcels }) => `${id} (${parcels} ${parcels === 1 ? 'parcel' : 'parcels'})`)
  throw new ApiError(
    'conflict',
    `Later payouts took back what this one paid, or paid again what it took back: ${said.join(', ')}. Reverse them first.`,
  )
}

/** What the undone entries had settled is as it was before them. */
async function standAgain(tx: Tx, key: RemittanceKey, undone: readonly Undone[]) {
  const parcels = (kind: NewEntry['kind']) =>
    undone.flatMap((entry) => (entry.kind === kind && entry.parcelId !== null ? entry.parcelId : []))
  const [unpaid, paidAgain] = [parcels('remittance'), parcels('deduction')]
  await setStanding(
    tx,
    key.projectId,
    undone.flatMap(({ takesBackId }) => takesBackId ?? []),
    true,
  )
  await restateDeliveries(tx, key, [...(await listAdjusted(tx, key.projectId, unpaid)), ...paidAgain])
  await cancelCash(tx, key.projectId, unpaid)
  await confirmCash(tx, key.projectId, paidAgain)
}
