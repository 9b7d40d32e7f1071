import type { Told } from './adapt.ts'
import type { Parcel, ParcelAnswer, ParcelEvent } from './parcels.model.ts'
import type { ParcelRow } from './parcels.queries.ts'

export function present(row: ParcelRow): Parcel {
  const {
    projectId: _p,
    carrierData: _c,
    sequence: _s,
    orderVersion: _v,
    submitAt: _u,
    submitAttempts: _a,
    submittingSince: _w,
    lastReportAt: _l,
    pollAt: _n,
    told: _t,
    ...shown
  } = row
  return { ...shown, codAmount: Number(row.codAmount), declaredValue: Number(row.declaredValue), weightKg: Number(row.weightKg) }
}

/** A parcel with what its sending, or its edit, had to say. */
export const answerOf = (parcel: ParcelRow, told: Told | null = parcel.told): ParcelAnswer => ({
  data: present(parcel),
  ...presentTold(told),
})

export const presentTold = (told: Told | null) => ({
  ...(told && told.warnings.length > 0 && { warnings: [...told.warnings] }),
  ...(told?.rewritten && { destinationRewritten: told.rewritten }),
})

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
