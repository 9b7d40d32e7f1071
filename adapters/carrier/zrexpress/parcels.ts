import {
  amount,
  type CarrierParcel,
  foldName,
  forget,
  instant,
  isRow,
  pageIn,
  present,
  type Row,
  readable,
  rows,
  text,
  unreadable,
  where,
  yes,
} from 'serai/carrier'
import { call, label, listIn, search } from './api.ts'
import type { Context } from './fields.ts'
import { inOrder, SEEN, type Seen, type Step, stepsSeen } from './seen.ts'
import { isSituation, returnWord, situationReason, situationWord, stateWord } from './statuses.ts'

/** Parcels per call. */
export const trackMax = 40

/** Reads one parcel by its id or tracking number; throws `not_found`. */
export async function parcelAt(context: Context, idOrTracking: string): Promise<Row> {
  const row = await call(context, 'GET', `parcels/${encodeURIComponent(idOrTracking)}`)
  // An answer without a parcel does not prove that it is missing.
  if (!isRow(row) || (text(row.id) ?? text(row.trackingNumber)) === undefined) throw unreadable(label, 'no parcel')
  return row
}

export const timeIn = ({ settings }: Context, value: unknown) => instant(value, settings.utcOffset)

type Head = Omit<CarrierParcel, 'carrierStatus' | 'at'>

/** Fields of a parcel other than its state. The price of a return is written as text. */
function headIn(row: Row): Head | undefined {
  const trackingId = text(row.trackingNumber)
  if (!trackingId) return undefined
  const address = isRow(row.deliveryAddress) ? row.deliveryAddress : {}
  const optional = {
    reference: text(row.externalId),
    codAmount: amount(row.amount),
    deliveryFee: amount(yes(row.isReturn) ? row.returnPrice : row.deliveryPrice),
    stateName: text(address.city),
    cityName: text(address.district),
  }
  return { trackingId, ...present(optional) }
}

/** Time of delivery or return; undefined before. */
const endOf = (context: Context, row: Row) => timeIn(context, yes(row.isReturn) ? row.returnedAt : row.deliveredAt)

/** Statuses of a row, which has no times; undefined when it has no state. */
function statusesIn({ state, situation, isReturn }: Row, at: string): (Seen & { state: Step }) | undefined {
  const [word, beside] = [stateWord(state, { isReturn: yes(isReturn) }), situationWord(situation)]
  return word ? { state: { carrierStatus: word, at }, ...(beside && { situation: { carrierStatus: beside, at } }) } : undefined
}

/** Reads parcels. A single one comes with its history; several get the dates at which their states were first seen. */
export async function track(context: Context, trackingIds: readonly string[]): Promise<CarrierParcel[]> {
  const [only, ...others] = trackingIds
  if (only === undefined) return []
  const at = new Date(context.now()).toISOString()
  const rows =
    others.length === 0
      ? await readOneByOne(context, [only])
      : ((await readFiltered(context, trackingIds)) ?? (await readOneByOne(context, trackingIds)))
  const parcels = await Promise.all(
    rows.map((row) => (others.length === 0 ? withHistory(context, row, at) : parcelAsSeen(context, row, at))),
  )
  const found = parcels.filter((parcel) => parcel !== undefined)
  if (found.length < parcels.length) context.log('left out rows that cannot be read', { rows: parcels.length - found.length })
  return found
}

/** Reads all parcels in one call with a filter; undefined when the carrier ignores the filter or finds none. */
async function readFiltered(context: Context, trackingIds: readonly string[]): Promise<readonly Row[] | undefined> {
  const operator = context.settings.filterEquals
  const filters = trackingIds.map((value) => ({ field: 'trackingNumber', operator, value }))
  const found = await search(context, 'parcels', { pageSize: trackingIds.length, advancedFilter: { logic: 'or', filters } }).catch(
    where('refused', () => ({ rows: [] })),
  )
  const isUnderstood = found.rows.length > 0 && found.rows.every((row) => trackingIds.includes(String(row.trackingNumber)))
  return isUnderstood ? found.rows : undefined
}

/** Reads parcels one by one; unknown ones are left out. */
async function readOneByOne(context: Context, trackingIds: readonly string[]): Promise<Row[]> {
  const found: Row[] = []
  for (const trackingId of trackingIds) {
    const row = await parcelAt(context, trackingId).catch(where('not_found', () => undefined))
    if (row) found.push(row)
  }
  return found
}

async function parcelAsSeen(context: Context, row: Row, at: string): Promise<CarrierParcel | undefined> {
  const [head, words, end] = [headIn(row), statusesIn(row, at), endOf(context, row)]
  if (!head || !words) return undefined
  if (end === undefined) return parcelOf(head, await stepsSeen(context, head.trackingId, words))
  await forget(context, SEEN, head.trackingId)
  return parcelOf(head, [{ ...words.state, at: end }])
}

/** Adds the history, which is read by the carrier's own id, not by the tracking number. */
async function withHistory(context: Context, row: Row, at: string): Promise<CarrierParcel | undefined> {
  const [head, id] = [headIn(row), text(row.id)]
  const steps = head && id ? await historyOf(context, id, row) : []
  if (!head || steps.length === 0) return parcelAsSeen(context, row, at)
  const [state, situation] = [steps.findLast((step) => !isSituation(step)), steps.findLast(isSituation)]
  if (endOf(context, row) === undefined)
    await stepsSeen(context, head.trackingId, { ...(state && { state }), ...(situation && { situation }) })
  return parcelOf(head, steps)
}

async function historyOf(context: Context, id: string, row: Row): Promise<Step[]> {
  const entries = await call(context, 'GET', `parcels/${encodeURIComponent(id)}/state-history`).catch(where('not_found', () => []))
  const isReturn = yes(row.isReturn)
  const marked = isReturn ? timeIn(context, row.markedAsReturnAt) : undefined
  const steps = inOrder(readable(context, listIn(entries, 'states'), (entry) => stepsIn(context, entry, marked)).flat())
  return isReturn ? withReturnStep(steps, marked) : steps
}

/** Steps of a state and its situations. From `marked` on, the parcel is a return. */
function stepsIn(context: Context, entry: Row, marked: string | undefined): Step[] | undefined {
  const at = timeIn(context, entry.createdAt)
  if (at === undefined) return undefined
  const word = stateWord(entry.newState, { isReturn: marked !== undefined && Date.parse(at) >= Date.parse(marked) })
  if (!word) return undefined
  const situations = rows(entry.situations).flatMap((situation) => {
    const [beside, reason] = [situationWord(situation), situationReason(situation)]
    return beside ? [{ carrierStatus: beside, at: timeIn(context, situation.createdAt) ?? at, ...(reason && { reason }) }] : []
  })
  return [{ carrierStatus: word, at }, ...situations]
}

/**
 * Adds the turn into a return, which may happen without a new state: in the state at that time, or in the last one if the time is unknown.
 */
function withReturnStep(steps: readonly Step[], marked: string | undefined): Step[] {
  const before = steps.findLast((step) => !isSituation(step) && (marked === undefined || Date.parse(step.at) < Date.parse(marked)))
  if (!before) return [...steps]
  const carrierStatus = returnWord(before.carrierStatus)
  if (marked !== undefined) return inOrder([{ carrierStatus, at: marked }, ...steps])
  return steps.map((step) => (step === before ? { ...step, carrierStatus } : step))
}

function parcelOf(head: Head, steps: readonly Step[]): CarrierParcel | undefined {
  const last = steps.at(-1)
  if (!last) return undefined
  return {
    ...head,
    carrierStatus: last.carrierStatus,
    at: last.at,
    history: steps.map((step) => ({ trackingId: head.trackingId, ...step })),
  }
}

/** Lists the account's parcels. The API gives no time for their state: the newest known one is used, else now. */
export async function list(context: Context, query: { cursor?: string; limit: number; status?: string; since?: string }) {
  const pageNumber = pageIn(query.cursor)
  const at = new Date(context.now()).toISOString()
  const page = await search(context, 'parcels', { pageNumber, pageSize: query.limit })
  const parcels = readable(context, page.rows, (row) => listRow(context, row, at))
  const { status, since } = query
  const wanted = parcels.filter(
    ({ parcel, end }) =>
      (status === undefined || foldName(parcel.carrierStatus) === foldName(status)) &&
      (since === undefined || end === undefined || Date.parse(end) >= Date.parse(since)),
  )
  return { rows: wanted.map(({ parcel }) => parcel), nextCursor: page.hasNext ? String(pageNumber + 1) : null }
}

function listRow(context: Context, row: Row, at: string): { parcel: CarrierParcel; end: string | undefined } | undefined {
  const [head, words, end] = [headIn(row), statusesIn(row, at), endOf(context, row)]
  const known = end ?? timeIn(context, row.markedAsReturnAt) ?? at
  return head && words && { parcel: { ...head, carrierStatus: words.state.carrierStatus, at: known }, end }
}
