import { amount, type CarrierParcel, firstSeen, instant, present, type Row, text, word } from 'serai/carrier'
import { type Account, read } from './api.ts'
import type { Context } from './fields.ts'
import { withoutNumber } from './statuses.ts'

/** One that is missing may hide the others and costs more calls then: so few that the quota holds even then. */
export const trackMax = 20

/** One bad row is left out and said so; it never hides the others. */
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

/** The status is `Situation`; there is a field `Statut` too, which is another thing. */
async function parcelIn(context: Context, row: Row): Promise<CarrierParcel | undefined> {
  const [trackingId, situation] = [word(row.Tracking), word(row.Situation)]
  if (trackingId === undefined || situation === undefined) return undefined
  const carrierStatus = withoutNumber(situation)
  const at = timeIn(context, row.DateH_Action) ?? (await firstSeen(context, trackingId, carrierStatus))
  const shown = { reference: word(row.id_Externe), codAmount: amount(row.Total), cityName: word(row.Commune) }
  return { trackingId, carrierStatus, at, ...present(shown) }
}

/** The form of the carrier's times is not known. Only the year first is beyond doubt: 03/04 is in March or in April. */
const timeIn = ({ settings }: Context, value: unknown) =>
  /^\s*\d{4}-\d\d-\d\d/.test(text(value) ?? '') ? instant(value, settings.utcOffset) : undefined
