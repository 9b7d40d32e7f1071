import {
  atMostLabels,
  CarrierError,
  type CarrierParcel,
  firstSeen,
  instant,
  isRow,
  type Label,
  labelsEach,
  pdfLabel,
  type Row,
  readable,
  rows,
  type StatusReport,
  text,
  unreadable,
  where,
} from 'serai/carrier'
import { call, callForAnswer, isRefusal, refusalFor } from './api.ts'
import type { Account, Context } from './fields.ts'
import { listIn } from './geography.ts'
import { detailsIn, rowOf } from './orders.ts'

/** Parcels per call. */
export const trackMax = 100

interface Told {
  readonly trackingId: string
  readonly status: string
  /** Notes to the parcel, with their reasons. */
  readonly notes: readonly Row[]
}

/** Reads up to 100 parcels in one call. The history and amounts of a single parcel take two more calls. */
export async function track(account: Account, trackingIds: readonly string[]): Promise<CarrierParcel[]> {
  if (trackingIds.length === 0) return []
  const told = await statusesOf(account, trackingIds)
  const [one] = told
  if (trackingIds.length === 1 && one) return [await parcelWithDetails(account, one)]
  return Promise.all(told.map((parcel) => parcelOf(account, parcel)))
}

/** Reads the status of each known parcel. Unlike the list of orders, this call includes archived ones. */
export async function statusesOf(account: Account, trackingIds: readonly string[]): Promise<Told[]> {
  const query = { api_token: account.context.credentials.token, trackings: trackingIds.join(','), status: 'all' }
  const answer = await call(account, 'get/orders/status', { query })
  const data: unknown = isRow(answer) ? answer.data : undefined
  // The platform writes an empty object as an empty list.
  if (Array.isArray(data) && data.length === 0) return []
  if (!isRow(data)) throw unreadable(account.company.label, 'no statuses by tracking number')
  return trackingIds.flatMap((trackingId) => {
    const row = Object.hasOwn(data, trackingId) ? data[trackingId] : undefined
    const status = isRow(row) ? text(row.status) : undefined
    return isRow(row) && status !== undefined ? [{ trackingId, status, notes: rows(row.activity) }] : []
  })
}

async function parcelOf({ context }: Account, { trackingId, status, notes }: Told): Promise<CarrierParcel> {
  const noted = notes.map((note) => timeOf(context, note)).filter((at) => at !== undefined)
  return { trackingId, carrierStatus: status, at: latestOf([await firstSeen(context, trackingId, status), ...noted]) }
}

async function parcelWithDetails(account: Account, told: Told): Promise<CarrierParcel> {
  const { trackingId } = told
  const [parcel, row, steps] = await Promise.all([parcelOf(account, told), rowOf(account, trackingId), historyOf(account, told)])
  const at = latestOf([parcel.at, ...steps.map((step) => step.at)])
  const history = [...steps, { trackingId, carrierStatus: parcel.carrierStatus, at }]
  return { ...parcel, ...(row && detailsIn(row)), at, history }
}

const latestOf = (times: readonly string[]) => times.reduce((a, b) => (Date.parse(b) > Date.parse(a) ? b : a))

const timeOf = ({ settings }: Context, { date, time }: Row) => instant(`${text(date) ?? ''} ${text(time) ?? ''}`.trim(), settings.utcOffset)

/** Reads the history of a parcel, oldest first. A note of the same moment gives the reason. */
async function historyOf(account: Account, { trackingId, notes }: Told): Promise<StatusReport[]> {
  const { context, company } = account
  // The status is already known; a parcel without a visible history gets an empty one.
  const answer = await call(account, 'get/tracking/info', { query: { tracking: trackingId } }).catch(where('refused', () => ({})))
  if (!isRow(answer)) throw unreadable(company.label, `no history of ${trackingId}`)
  const reasons = new Map(notes.map((note) => [timeOf(context, note), text(note.reason)]))
  const steps = readable(context, listIn(account, answer.activity ?? [], 'activities'), (row) => {
    const [carrierStatus, at] = [text(row.status), timeOf(context, row)]
    if (carrierStatus === undefined || at === undefined) return undefined
    const reason = reasons.get(at)
    return { trackingId, carrierStatus, at, ...(reason !== undefined && { reason }) }
  })
  return steps.sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
}

/** Calls for labels, of 50 a minute. */
const LABELS_MAX = 40

/** Fetches labels, one call each; the answer is the PDF itself. */
export async function labels(account: Account, trackingIds: readonly string[]): Promise<Label[]> {
  atMostLabels(LABELS_MAX, trackingIds, account.company.label)
  return labelsEach(trackingIds, (trackingId) => label(account, trackingId))
}

async function label(account: Account, trackingId: string): Promise<Label> {
  const { company } = account
  const answer = await callForAnswer(account, 'get/order/label', { query: { tracking: trackingId } }).catch((error: unknown) => {
    // The platform answers an unknown number with a validation error.
    if (!(error instanceof CarrierError) || error.upstream.code !== '422') throw error
    throw new CarrierError('not_found', `${company.label} has no label for ${trackingId}.`, error.upstream)
  })
  if (isRow(answer.value) && isRefusal(answer.value)) throw refusalFor(account, answer.value)
  return pdfLabel(company.label, trackingId, answer)
}
