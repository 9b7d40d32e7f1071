import type { Parcel, ParcelEvent } from './parcels.model.ts'
import type { ParcelRow } from './parcels.queries.ts'

export function present(row: ParcelRow): Parcel {
  const {
    projectId: _p,
    carrierData: _c,
    sequence: _s,
    submitAttempts: _a,
    submittingSince: _w,
    lastReportAt: _l,
    pollAt: _n,
    ...shown
  } = row
  return { ...shown, codAmount: Number(row.codAmount), declaredValue: Number(row.declaredValue), weightKg: Number(row.weightKg) }
}

export function presentEvent({
  fromStatus,
  toStatus,
  ...event
}: Omit<ParcelEvent, 'fromStatus' | 'toStatus'> & {
  fromStatus: ParcelEvent['fromStatus'] | null
  toStatus: ParcelEvent['toStatus'] | null
}): ParcelEvent {
  return { ...event, ...(fromStatus && { fromStatus }), ...(toStatus && { toStatus }) }
}
