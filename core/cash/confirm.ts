import { CashBatch } from '../../plugins/carrier/model.ts'
import type { Payout } from '../../plugins/carrier/segments.model.ts'
import type { Context } from '../context.ts'
import { type Tx, transaction } from '../data/sql.ts'
import { ApiError, notFound } from '../http/errors.ts'
import { type Account, callCarrier } from '../integrations/call-carrier.ts'
import { cancelCash, confirmCash } from '../parcels/move-cash.ts'
import { insertEntries, type NewEntry, undoRemittance } from './entries.queries.ts'
import { oweInFull } from './follow-parcel.ts'
import { type Judged, judge } from './judge.ts'
import { forgetNotes, holdParcels, matchLines, noteLines } from './lines.queries.ts'
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
export async function confirmPayout(context: Context, account: Account, id: string): Promise<Payout> {
  const key = keyOf(account, id)
  const known = await findRemittance(context.sql, key)
  if (known?.state === 'confirmed') return presentPayout(known)
  await pullPayout(context, account, id, known)
  const payout = await findRemittance(context.sql, key)
  if (!payout) throw notFound('The payout')
  await tellCarrier(context, account, payout)
  return presentPayout(await transaction(context.sql, (tx) => settle(tx, key)))
}

async function tellCarrier(context: Context, account: Account, { id, source, carrierStatus }: RemittanceRow) {
  const confirm = account.row.enabled ? account.mounted.carrier.cash?.confirm : undefined
  if (!confirm || source !== 'carrier' || carrierStatus === 'payout_confirmed') return
  await callCarrier(context, account, (_carrier, adapter) => confirm(adapter, id), { operation: 'cashConfirm', schema: CashBatch })
}

async function settle(tx: Tx, key: RemittanceKey): Promise<RemittanceRow> {
  const payout = await lockRemittance(tx, key)
  if (!payout) throw notFound('The payout')
  if (payout.state === 'confirmed') return payout
  await holdParcels(tx, key.projectId, parcelsOf(await matchLines(tx, key)))
  // Read again: what another payout settled while we waited for the parcels is paid now.
  const judged = (await matchLines(tx, key)).map(judge)
  const at = new Date().toISOString()
  await insertEntries(
    tx,
    judged.flatMap((line) => entryOf(key, line, at)),
  )
  await noteLines(
    tx,
    key,
    judged.map(({ matched, ...line }) => ({ ...line, line: matched.line, parcelId: matched.parcel?.id ?? null })),
  )
  const paid = judged.filter(({ posting, amount }) => posting && amount > 0n)
  await confirmCash(tx, parcelsOf(paid.map(({ matched }) => matched)))
  return markConfirmed(tx, key, at)
}

const parcelsOf = (lines: readonly { parcel: { id: string } | null }[]) => lines.flatMap(({ parcel }) => (parcel ? [parcel.id] : []))

const entryOf = ({ projectId, connectionId, id }: RemittanceKey, { matched, posting }: Judged, at: string): NewEntry[] =>
  posting ? [{ projectId, connectionId, kind: 'remittance', parcelId: matched.parcel?.id ?? null, remittanceId: id, at, posting }] : []

/**
 * Takes the confirmation of a payout back by the opposite entries: its parcels are owed again, and this or another payout may pay
 * them. Reversed twice, it is reversed once. The carrier is not told: none can be. Throws `invalid_transition` for a draft.
 */
export async function reversePayout(context: Context, account: Account, id: string): Promise<Payout> {
  const key = keyOf(account, id)
  return presentPayout(
    await transaction(context.sql, async (tx) => {
      const payout = await lockRemittance(tx, key)
      if (!payout) throw notFound('The payout')
      if (payout.state === 'reversed') return payout
      if (payout.state === 'draft')
        throw new ApiError('invalid_transition', 'The payout is not confirmed, so there is nothing to reverse. Confirm it when it arrives.')
      await holdParcels(tx, key.projectId, parcelsOf(await matchLines(tx, key)))
      const at = new Date().toISOString()
      const undone = await undoRemittance(tx, key, at)
      await forgetNotes(tx, key)
      const parcelIds = undone.flatMap(({ parcelId }) => (parcelId === null ? [] : [parcelId]))
      await oweInFull(tx, key.projectId, parcelIds)
      await cancelCash(tx, parcelIds)
      return markReversed(tx, key, at)
    }),
  )
}
