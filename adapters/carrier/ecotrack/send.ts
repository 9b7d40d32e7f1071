import {
  CarrierError,
  isRow,
  type Row,
  refusedRow,
  type Sent,
  type SentRow,
  type Shipment,
  text,
  translateEach,
  unreadable,
  wordsIn,
  yes,
} from 'serai/carrier'
import { call, isRefusal, refusalFor } from './api.ts'
import { ship } from './drafts.ts'
import type { Account } from './fields.ts'
import { deleteSubmission, noteCreated, noteStart } from './pending-submissions.ts'
import { type Order, type Translated, translate } from './shipment.ts'

/** Orders per call. The platform takes 100, but each one also needs a validation call: 40 fit into a minute's quota. */
export const sendManyMax = 40
const VALIDATED_AT_ONCE = 5
/** Reference that could also be a position in the list. */
const LIKE_A_POSITION = /^\d{1,2}$/

export async function send(account: Account, shipment: Shipment): Promise<Sent> {
  const order = await translate(account, shipment)
  await noteStart(account.context, order.reference)
  const answer = await call(account, 'create/order', { method: 'POST', json: order.row })
  const trackingId = isRow(answer) && yes(answer.success) ? text(answer.tracking) : undefined
  if (trackingId === undefined) throw unreadable(account.company.label, `no tracking number for ${order.reference}`)
  return validateCreated(account, order, trackingId)
}

/** Validates a created order if needed. Notes its progress for the lookup. */
async function validateCreated(account: Account, { reference, warnings }: Order, trackingId: string): Promise<Sent> {
  const { context } = account
  await noteCreated(context, reference, trackingId)
  await ship(account, trackingId)
  await deleteSubmission(context, reference)
  const said = context.settings.validate ? warnings : [...warnings, draft]
  return { trackingId, ...(said.length > 0 && { warnings: said }) }
}

const draft: Translated['warnings'][number] = {
  code: 'draft',
  message: 'It is a draft at the carrier and does not ship until it is validated.',
}

/** Creates all orders in one call, then validates each. Rows without a clear outcome are left out, and are looked up later. */
export async function sendMany(account: Account, shipments: readonly Shipment[]): Promise<SentRow[]> {
  const { ready: orders, refused: rows } = await translateEach(shipments, (shipment) => translate(account, shipment))
  if (orders.length === 0) return rows
  await Promise.all(orders.map(({ reference }) => noteStart(account.context, reference)))
  const results = await createAll(account, orders)
  for (let at = 0; at < orders.length; at += VALIDATED_AT_ONCE) {
    const some = orders.slice(at, at + VALIDATED_AT_ONCE)
    const settled = await Promise.all(some.map((order, index) => rowOutcome(account, order, results[at + index])))
    rows.push(...settled.filter((row) => row !== undefined))
  }
  return rows
}

/** Creates the orders. Returns the company's result for each, in order; undefined when it is unclear. */
async function createAll(account: Account, orders: readonly Order[]): Promise<(Row | undefined)[]> {
  const json = { orders: Object.fromEntries(orders.map(({ row }, index) => [index, row])) }
  const answer = await call(account, 'create/orders', { method: 'POST', json })
  const results: unknown = isRow(answer) ? answer.results : undefined
  if (typeof results !== 'object' || results === null) throw unreadable(account.company.label, 'no results of the orders')
  const told = results as Readonly<Record<string, unknown>>
  // Some companies key results by reference, others by position. A reference that looks like a position is no evidence of either.
  const telling = orders.filter(({ reference }) => !LIKE_A_POSITION.test(reference))
  const isByReference = telling.some(({ reference }) => Object.hasOwn(told, reference))
  return orders.map(({ reference }, index) => {
    const row = telling.length === 0 ? undefined : told[isByReference ? reference : index]
    return isRow(row) ? row : undefined
  })
}

async function rowOutcome(account: Account, order: Order, result: Row | undefined): Promise<SentRow | undefined> {
  const { reference } = order
  if (result === undefined) return undefined
  const trackingId = yes(result.success) ? text(result.tracking) : undefined
  try {
    if (trackingId !== undefined) return { reference, sent: await validateCreated(account, order, trackingId) }
    const problem = refusalIn(account, result)
    return problem && refusedRow(reference, problem)
  } catch (error) {
    if (error instanceof CarrierError && error.reason === 'refused') return refusedRow(reference, error)
    account.context.log('an order of several was not seen through', { reference, why: String(error) })
    return undefined
  }
}

/** Returns the refusal of a row: `{ success: false, … }`, or fields with their errors. */
function refusalIn(account: Account, result: Row): CarrierError | undefined {
  if (isRefusal(result)) return refusalFor(account, result)
  const isByField = Object.keys(result).length > 0 && Object.values(result).every((said) => Array.isArray(said))
  if (!isByField) return undefined
  const said = wordsIn({ errors: result })
  return new CarrierError('refused', `${account.company.label} refused the order: ${said}`, {
    code: '422',
    ...(said !== undefined && { message: said }),
  })
}
