import type { CarrierNotices } from './change/adapt.ts'
import { isPending } from './lifecycle/wait-for-outcomes.ts'
import type { Parcel, ParcelEvent, ParcelResponse } from './parcels.model.ts'
import type { ParcelRow } from './parcels.queries.ts'

/** Parcel as the API shows it. */
export const presentParcel = (row: Pick<ParcelRow, keyof Parcel>): Parcel => ({
  id: row.id,
  tenantId: row.tenantId,
  reference: row.reference,
  status: row.status,
  outcomeUnknown: row.outcomeUnknown,
  carrierAccountId: row.carrierAccountId,
  courierId: row.courierId,
  trackingId: row.trackingId,
  batchId: row.batchId,
  orderId: row.orderId,
  recipient: row.recipient,
  destination: row.destination,
  codAmount: Number(row.codAmount),
  declaredValue: Number(row.declaredValue),
  weightKg: Number(row.weightKg),
  dimensions: row.dimensions,
  contents: row.contents,
  notes: row.notes,
  deliveryAttempts: row.deliveryAttempts,
  readyForPickup: row.readyForPickup,
  cashStatus: row.cashStatus,
  labelUrl: row.labelUrl,
  lastError: row.lastError,
  metadata: row.metadata,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  submittedAt: row.submittedAt,
  deliveredAt: row.deliveredAt,
  returnedAt: row.returnedAt,
  cancelledAt: row.cancelledAt,
})

/** Parcel with the notices of its submission or edit. */
export const presentParcelResponse = (parcel: ParcelRow, told: CarrierNotices | null = parcel.told): ParcelResponse => ({
  data: presentParcel(parcel),
  ...presentNotices(told),
})

/** Response after a submission request: a parcel that still waits for its carrier is shown as `submitting`. */
export function presentSendingResponse(parcel: ParcelRow): ParcelResponse {
  const answer = presentParcelResponse(parcel)
  return isPending(parcel) ? { ...answer, data: { ...answer.data, status: 'submitting' } } : answer
}

/** Notices of a carrier as the API shows them; empty without notices. */
export const presentNotices = (told: CarrierNotices | null) => ({
  ...(told && told.warnings.length > 0 && { warnings: [...told.warnings] }),
  ...(told?.rewritten && { destinationRewritten: told.rewritten }),
})

/** Timeline entry as the API shows it, without null fields. */
export function presentParcelEvent({
  fromStatus,
  toStatus,
  ...event
}: Omit<ParcelEvent, 'fromStatus' | 'toStatus'> & {
  fromStatus: ParcelEvent['fromStatus'] | null
  toStatus: ParcelEvent['toStatus'] | null
}): ParcelEvent {
  return { ...event, ...(fromStatus && { fromStatus }), ...(toStatus && { toStatus }) }
}
