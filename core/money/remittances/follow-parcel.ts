import type { ParcelStatus } from '../../../plugins/carrier/model.ts'
import type { Tx } from '../../data/sql.ts'
import { invariant } from '../../lib/invariant.ts'
import { decimal } from '../../lib/money/decimal.ts'
import { findStanding, insertEntries, type NewEntry, undoDelivery } from './entries.queries.ts'
import { fromCarrier } from './from-carrier.ts'
import { deliveredPosting, type Posting } from './posting.ts'

/** What the ledger knows a parcel by. */
export interface CashParcel {
  readonly projectId: string
  readonly id: string
  readonly carrierAccountId: string | null
  readonly codAmount: string
}

/**
 * A parcel has a new status: delivered, its carrier owes us what it collected; delivered no more, it does not. In the transaction of
 * the move, which holds the parcel. `fee`: what the carrier said that it keeps, in the major unit.
 */
export async function followCash(tx: Tx, parcel: CashParcel, { from, to, at, fee }: CashMove): Promise<void> {
  if (from === 'delivered' && to !== 'delivered')
    await undoDelivery(tx, { projectId: parcel.projectId, parcelId: parcel.id }, 'undelivered', at)
  const cod = decimal(parcel.codAmount)
  const { projectId, id, carrierAccountId: connectionId } = parcel
  if (to !== 'delivered' || cod === 0n || connectionId === null) return
  const { paid } = await findStanding(tx, projectId, id)
  await insertEntries(tx, [deliveryOf({ projectId, id, connectionId }, at, deliveredPosting(cod, fromCarrier(fee ?? 0) ?? 0n, paid))])
}

export interface CashMove {
  readonly from: ParcelStatus
  readonly to: ParcelStatus
  readonly at: string
  readonly fee?: number
}

/** The carrier says what it keeps of a parcel that is delivered already: posted anew, as long as no payout has settled it. */
export async function learnFee(tx: Tx, parcel: CashParcel, fee: number): Promise<void> {
  const { projectId, id, carrierAccountId: connectionId } = parcel
  const { delivered, paid } = await findStanding(tx, projectId, id)
  const said = fromCarrier(fee)
  if (said === null || !delivered || connectionId === null || paid || delivered.fees === said) return
  await undoDelivery(tx, { projectId, parcelId: id }, 'reversal', delivered.at)
  await insertEntries(tx, [deliveryOf({ projectId, id, connectionId }, delivered.at, deliveredPosting(delivered.cod, said))])
}

/** What the carrier collects of a parcel became known to be another amount: where it is delivered already, that is posted anew. */
export async function restateAmount(tx: Tx, parcel: CashParcel & { status: ParcelStatus; deliveredAt: string | null }): Promise<void> {
  const { projectId, id, carrierAccountId: connectionId } = parcel
  if (parcel.status !== 'delivered' || connectionId === null) return
  const { delivered, paid } = await findStanding(tx, projectId, id)
  const cod = decimal(parcel.codAmount)
  if (cod === (delivered?.cod ?? 0n)) return
  const at = invariant(delivered?.at ?? parcel.deliveredAt, 'The time of a delivery')
  if (delivered) await undoDelivery(tx, { projectId, parcelId: id }, 'reversal', at)
  if (cod > 0n)
    await insertEntries(tx, [deliveryOf({ projectId, id, connectionId }, at, deliveredPosting(cod, delivered?.fees ?? 0n, paid))])
}

/** Payments of these parcels came to stand, or stand no more: what a delivery makes up with its payment is stated anew. */
export async function restateDeliveries(
  tx: Tx,
  { projectId, connectionId }: { projectId: string; connectionId: string },
  parcelIds: readonly string[],
): Promise<void> {
  for (const id of parcelIds) {
    const { delivered, paid } = await findStanding(tx, projectId, id)
    if (!delivered) continue
    const posting = deliveredPosting(delivered.cod, delivered.fees, paid)
    if (posting.carrier === delivered.carrier && posting.fees === delivered.fees) continue
    await undoDelivery(tx, { projectId, parcelId: id }, 'reversal', delivered.at)
    await insertEntries(tx, [deliveryOf({ projectId, id, connectionId }, delivered.at, posting)])
  }
}

type Delivered = Pick<CashParcel, 'projectId' | 'id'> & { readonly connectionId: string }

const deliveryOf = ({ projectId, id, connectionId }: Delivered, at: string, posting: Posting): NewEntry => ({
  projectId,
  connectionId,
  kind: 'delivered',
  parcelId: id,
  remittanceId: null,
  at,
  posting,
})
