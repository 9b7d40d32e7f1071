import { amount, type CarrierParcel, firstSeen, instant, present, type Row, text, word } from 'serai/carrier'
import { type Account, read } from './api.ts'
import type { Context } from './fields.ts'
import { withoutNumber } from './statuses.ts'

/** Parcels per read. An unknown one may hide the others and cost more calls; the quota allows this many even then. */
export const trackMax = 20

/** Reads parcels. An unreadable row is logged and left out. */
export async function track(account: Account, trackingIds: readonly string[]): Promise<CarrierParcel[]> {
  const rows = await read(account, trackingIds)
  const found: CarrierParcel[] = []
  for (const row of rows) {
    const parcel = await parcelIn(account.context, row)
    if (parcel && trackingIds.includes(parcel.trackingId)) found.push(parcel)
    else account.context.log('left out a row that cannot be read', { tracking: word(row.Tracking) ?? null })
  }
  return found
}

/** Reads a row. `Situation` is the status; the field `Statut` is something else. */
async function parcelIn(context: Context, row: Row): Promise<CarrierParcel | undefined> {
  const [trackingId, situation] = [word(row.Tracking), word(row.Situation)]
  if (trackingId === undefined || situation === undefined) return undefined
  const carrierStatus = withoutNumber(situation)
  const at = timeIn(context, row.DateH_Action) ?? (await firstSeen(context, trackingId, carrierStatus))
  const shown = { reference: word(row.id_Externe), codAmount: amount(row.Total), cityName: word(row.Commune) }
  return { trackingId, carrierStatus, at, ...present(shown) }
}

/** Reads a time. The carrier's format is not known; only dates that begin with the year are accepted, since 03/04 is ambiguous. */
const timeIn = ({ settings }: Context, value: unknown) =>
  /^\s*\d{4}-\d\d-\d\d/.test(text(value) ?? '') ? instant(value, settings.utcOffset) : undefined
