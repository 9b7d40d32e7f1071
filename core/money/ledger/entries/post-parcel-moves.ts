import type { ParcelStatus } from '../../../../plugins/carrier/model.ts'
import type { Tx } from '../../../data/sql.ts'
import { invariant } from '../../../lib/invariant.ts'
import { decimal } from '../../../lib/money/decimal.ts'
import { parseCarrierAmount } from './carrier-amount.ts'
import type { NewEntry } from './entries.model.ts'
import { findParcelEntries, insertEntries, undoDelivery } from './entries.queries.ts'
import { deliveredPosting, type Posting } from './posting.ts'

/** Parcel as the ledger needs it. */
export interface LedgerParcel {
  readonly projectId: string
  readonly id: string
  readonly carrierAccountId: string | null
  readonly codAmount: string
}

/**
 * Posts the move of a parcel: a delivery makes the carrier owe the cash on delivery, and leaving `delivered` undoes that entry. Posts
 * nothing for a parcel without cash on delivery or without a carrier connection. Runs in the transaction of the move, which locks the
 * parcel.
 */
export async function postParcelMove(tx: Tx, parcel: LedgerParcel, { from, to, at, fee }: LedgerParcelMove): Promise<void> {
  if (from === 'delivered' && to !== 'delivered')
    await undoDelivery(tx, { projectId: parcel.projectId, parcelId: parcel.id }, 'undelivered', at)
  const cod = decimal(parcel.codAmount)
  const { projectId, id, carrierAccountId: connectionId } = parcel
  if (to !== 'delivered' || cod === 0n || connectionId === null) return
  const { paid } = await findParcelEntries(tx, projectId, id)
  await insertEntries(tx, [
    deliveryEntry({ projectId, id, connectionId }, at, deliveredPosting(cod, parseCarrierAmount(fee ?? 0) ?? 0n, paid)),
  ])
}

/** Change of a parcel's status. `fee` is what the carrier charges, in the major unit, if known. */
export interface LedgerParcelMove {
  readonly from: ParcelStatus
  readonly to: ParcelStatus
  readonly at: string
  readonly fee?: number
}

/**
 * Reposts the delivery of a parcel with a fee that the carrier stated later. Does nothing once a remittance has paid the parcel, or if the
 * fee is no valid amount.
 */
export async function applyCarrierFee(tx: Tx, parcel: LedgerParcel, fee: number): Promise<void> {
  const { projectId, id, carrierAccountId: connectionId } = parcel
  const { delivered, paid } = await findParcelEntries(tx, projectId, id)
  const newFee = parseCarrierAmount(fee)
  if (newFee === null || !delivered || connectionId === null || paid || delivered.fees === newFee) return
  await undoDelivery(tx, { projectId, parcelId: id }, 'reversal', delivered.at)
  await insertEntries(tx, [deliveryEntry({ projectId, id, connectionId }, delivered.at, deliveredPosting(delivered.cod, newFee))])
}

/**
 * Reposts the delivery of a parcel after its cash-on-delivery amount was corrected. Does nothing if the parcel is not delivered or the
 * ledger has the same amount.
 */
export async function restateCodAmount(tx: Tx, parcel: LedgerParcel & { status: ParcelStatus; deliveredAt: string | null }): Promise<void> {
  const { projectId, id, carrierAccountId: connectionId } = parcel
  if (parcel.status !== 'delivered' || connectionId === null) return
  const { delivered, paid } = await findParcelEntries(tx, projectId, id)
  const cod = decimal(parcel.codAmount)
  if (cod === (delivered?.cod ?? 0n)) return
  const at = invariant(delivered?.at ?? parcel.deliveredAt, 'The time of a delivery')
  if (delivered) await undoDelivery(tx, { projectId, parcelId: id }, 'reversal', at)
  if (cod > 0n)
    await insertEntries(tx, [deliveryEntry({ projectId, id, connectionId }, at, deliveredPosting(cod, delivered?.fees ?? 0n, paid))])
}

/**
 * Reposts deliveries after payments of these parcels were posted or undone, so that claim, fees and difference match the payment in force.
 */
export async function restateDeliveries(
  tx: Tx,
  { projectId, connectionId }: { projectId: string; connectionId: string },
  parcelIds: readonly string[],
): Promise<void> {
  for (const id of parcelIds) {
    const { delivered, paid } = await findParcelEntries(tx, projectId, id)
    if (!delivered) continue
    const posting = deliveredPosting(delivered.cod, delivered.fees, paid)
    if (posting.carrier === delivered.carrier && posting.fees === delivered.fees) continue
    await undoDelivery(tx, { projectId, parcelId: id }, 'reversal', delivered.at)
    await insertEntries(tx, [deliveryEntry({ projectId, id, connectionId }, delivered.at, posting)])
  }
}

type DeliveredParcel = Pick<LedgerParcel, 'projectId' | 'id'> & { readonly connectionId: string }

const deliveryEntry = ({ projectId, id, connectionId }: DeliveredParcel, at: string, posting: Posting): NewEntry => ({
  projectId,
  connectionId,
  kind: 'delivered',
  parcelId: id,
  remittanceId: null,
  at,
  posting,
})
