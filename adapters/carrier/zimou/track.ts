import { amount, type CarrierParcel, firstSeen, isRow, number, present, type Row, text, unreadable, webAddress } from 'serai/carrier'
import { call, label } from './api.ts'
import type { Context } from './fields.ts'
import { packageNote } from './notes.ts'
import { statusWord } from './statuses.ts'

/** Packages per call, as many as fit in a URL. The carrier's limit is not known. */
export const trackMax = 50

/** Reads the status of each known package, by tracking code. */
export async function statusesOf(context: Context, trackingIds: readonly string[]): Promise<Map<string, string>> {
  const map = mapIn(await call(context, 'GET', 'v3/packages/status', { query: { 'packages[]': trackingIds } }), trackingIds)
  const found = new Map<string, string>()
  for (const trackingId of trackingIds) {
    const entry = Object.hasOwn(map, trackingId) ? map[trackingId] : null
    const word = wordIn(entry)
    if (word !== undefined) found.set(trackingId, word)
    else if (entry !== null) context.log('left out a status that cannot be read', { trackingId })
  }
  return found
}

/** Reads a map, bare or under `data`. An empty one may be an empty list. Throws when its keys were not asked for. */
function mapIn(answer: unknown, trackingIds: readonly string[]): Row {
  const told = isRow(answer) && Object.hasOwn(answer, 'data') ? answer.data : answer
  if (Array.isArray(told) && told.length === 0) return {}
  const names = isRow(told) ? Object.keys(told).filter((name) => name !== 'error' && name !== 'message') : []
  if (!isRow(told) || (names.length > 0 && !names.some((name) => trackingIds.includes(name)))) throw unreadable(label, 'no map of statuses')
  return told
}

function wordIn(entry: unknown): string | undefined {
  if (!isRow(entry)) return undefined
  const [id, name] = [number(entry.status_id), text(entry.status_name)]
  return id === undefined && name === undefined ? undefined : statusWord(id, name)
}

export async function track(context: Context, trackingIds: readonly string[]): Promise<CarrierParcel[]> {
  if (trackingIds.length === 0) return []
  const found: CarrierParcel[] = []
  for (const [trackingId, carrierStatus] of await statusesOf(context, trackingIds))
    found.push({ trackingId, carrierStatus, at: await firstSeen(context, trackingId, carrierStatus) })
  const [parcel] = found
  return trackingIds.length === 1 && parcel ? [{ ...parcel, ...(await detailsOf(context, parcel.trackingId)) }] : found
}

/** Reads amount, fee and label of a single package. Never fails, so that its status is not lost. */
async function detailsOf(context: Context, trackingId: string): Promise<Partial<CarrierParcel>> {
  try {
    const row = await packageOf(context, trackingId)
    if (!row) return {}
    return present({
      reference: text(row.order_id),
      codAmount: amount(row.price),
      deliveryFee: amount(row.delivery_price),
      labelUrl: webAddress(row.print_url),
    })
  } catch (error) {
    context.log('could not read a package', { trackingId, problem: String(error) })
    return {}
  }
}

/** Reads a package by the numeric id that was noted when it was sent. */
export async function packageOf(context: Context, trackingId: string): Promise<Row | undefined> {
  const { id } = await packageNote(context, trackingId)
  if (id === undefined) return undefined
  const answer = await call(context, 'GET', `v3/packages/${id}`)
  const row = isRow(answer) && isRow(answer.data) ? answer.data : answer
  if (!isRow(row)) throw unreadable(label, `no package ${id}`)
  const shown = text(row.tracking_code) ?? trackingId
  if (shown !== trackingId) throw unreadable(label, `package ${id} is ${shown}, not ${trackingId}`)
  return row
}
