import {
  amount,
  type CarrierParcel,
  firstSeen,
  instant,
  isRow,
  oldestFirst,
  present,
  type Row,
  type StatusReport,
  text,
  where,
  word,
} from 'serai/carrier'
import { get, listIn, orderPath, rowOf } from './api.ts'
import type { Context } from './fields.ts'
import { ABORTED, ABORTED_AWAY, isAway } from './statuses.ts'

/** Parcels per call, at two requests each. */
export const TRACK_MAX = 10

/** Status with the time since which it holds. */
export interface Step {
  readonly code: string
  readonly at: string
  readonly reason?: string
}

/** Returns the carrier's status number as text; '' when there is none. */
export const wordOf = (status: unknown) => word(status) ?? ''

export async function track(context: Context, ids: readonly string[]): Promise<CarrierParcel[]> {
  const found: CarrierParcel[] = []
  for (const id of ids) found.push(...(await parcelOf(context, id)))
  return found
}

const noneIfNotFound = where('not_found', () => undefined)

/**
 * Reads a parcel: the order gives its status, the history its time. If the history lacks the status, the time of the first read is used.
 */
async function parcelOf(context: Context, id: string): Promise<CarrierParcel[]> {
  const answer = await get(context, orderPath(id)).catch(noneIfNotFound)
  if (answer === undefined) return []
  const order = rowOf(answer, 'no order')
  const steps = await stepsOf(context, id)
  const history = steps.map(
    ({ code, ...step }, index): StatusReport => ({ trackingId: id, carrierStatus: statusMeant(code, steps.slice(0, index)), ...step }),
  )
  const status = wordOf(order.status) || steps.at(-1)?.code
  if (!status) {
    context.log('left out a parcel without a status', { id })
    return []
  }
  const carrierStatus = statusMeant(status, steps)
  const at = steps.findLast(({ code }) => code === status)?.at ?? (await firstSeen(context, id, carrierStatus))
  return [{ trackingId: id, carrierStatus, at, history, ...detailsOf(order) }]
}

/** Code 50 means a cancellation while the goods have not left, and the start of a return afterwards. */
const statusMeant = (code: string, before: readonly Step[]) =>
  code === ABORTED && before.some((step) => isAway(step.code)) ? ABORTED_AWAY : code

const detailsOf = (order: Row) => present({ reference: text(order.external_order_id), codAmount: amount(order.product_price) })

/** Reads the history. Its order is not documented, and steps may share a time. */
export async function stepsOf(context: Context, id: string): Promise<Step[]> {
  const answer = await get(context, `stores/history_order/${encodeURIComponent(id)}`).catch(noneIfNotFound)
  const listed = answer === undefined ? [] : listIn(answer, 'history')
  const steps = listed.flatMap((row) => (isRow(row) ? stepIn(context, row) : []))
  if (steps.length < listed.length) context.log('left out steps that cannot be read', { id, steps: listed.length - steps.length })
  return oldestFirst(steps)
}

function stepIn({ settings }: Context, row: Row): Step[] {
  const [code, at, reason] = [wordOf(row.status), instant(row.created_at, settings.utcOffset), text(row.comment)]
  return code === '' || at === undefined ? [] : [{ code, at, ...(reason !== undefined && { reason }) }]
}
