import type { SendRowResult } from '../../../plugins/carrier/rows.model.ts'
import type { Context } from '../../context.ts'
import { ApiError } from '../../http/errors/errors.ts'
import { invariant } from '../../lib/invariant.ts'
import { findLiveOfOrder } from '../../logistics/parcels/parcels.queries.ts'
import type { SendChoice } from '../../orders/parcels/new-parcel.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { refusedRow, rowOf, sendOrders } from '../sending/send-order.ts'
import { blank, decide } from './decide.ts'
import type { Attempt, Dispatch, Dispatched, DispatchOutcome } from './dispatch.model.ts'
import { findLastDispatch, updateDispatch } from './dispatch.queries.ts'
import { giveOut, type Turn } from './give-out.ts'
import type { Prices } from './prices.ts'

/** Carriers that are asked for one order at most: each may take ten seconds. */
const ASKED_MAX = 4
const OTHER_WAIT_MS = 30_000
const LOOK_AGAIN_MS = 150
/** What is wrong with the order itself: no other carrier would make it right. */
const OF_THE_ORDER = [
  'not_found',
  'order_already_sent',
  'order_not_confirmed',
  'place_unknown',
  'invalid_transition',
  'outcome_unknown',
  'conflict',
  'invalid_request',
  'invalid_phone',
]

/**
 * Sends each order with the carrier that the store's rules choose. One that refuses, or cannot be asked, has nothing of it, and the next
 * is asked; where it is not known whether a carrier took it, nobody else is. Each order is answered for itself.
 */
export async function dispatchOrders(
  context: Context,
  prices: Prices,
  store: Pick<Store, 'id' | 'projectId' | 'currencyCode'>,
  orderIds: readonly string[],
  choice: SendChoice,
  dryRun: boolean,
): Promise<Dispatched[]> {
  const turns = await giveOut(context.sql, store.id, await decide(context, prices, store, orderIds, choice), !dryRun)
  if (dryRun) return turns.map(planned)
  const [sent, others] = await Promise.all([
    sendInTurn(context, store.id, turns.flatMap(legOf), choice),
    Promise.all(
      turns.filter(({ id, ranked }) => id === null && ranked.length > 0).map(({ choice }) => answerOfOther(context, store, choice.orderId)),
    ),
  ])
  const answers = new Map([...sent, ...others].map((answer) => [answer.orderId, answer]))
  return turns.map((turn) => answers.get(turn.choice.orderId) ?? planned(turn))
}

/** The answer of a turn that was not carried out: what is known already, else the plan. */
const planned = ({ choice, came }: Turn): Dispatched => ({ ...choice, ...(came ?? { outcome: 'planned' }) })

/** An order on its way from carrier to carrier. */
interface Leg extends Turn {
  readonly id: string
  /** Who is asked now, and who after that. */
  readonly key: string
  readonly next: readonly string[]
  readonly tried: readonly Attempt[]
}

/** None where nobody is to be asked, or not by us. */
function legOf(turn: Turn): Leg[] {
  const [key, ...next] = turn.ranked.slice(0, ASKED_MAX).map(({ candidate }) => candidate.key)
  return turn.id === null || key === undefined ? [] : [{ ...turn, id: turn.id, key, next, tried: [] }]
}

/** Round by round: orders that go to one carrier go together, and those that it leaves go on to their next. */
async function sendInTurn(context: Context, storeId: string, begun: readonly Leg[], choice: SendChoice): Promise<Dispatched[]> {
  const done: Dispatched[] = []
  let legs = begun
  try {
    for (let round = 0; legs.length > 0; round += 1) {
      // A centre is one carrier's own: who is asked later finds its nearest.
      const { pickupId: _, ...elsewhere } = choice
      const asked = await Promise.all(
        [...Map.groupBy(legs, ({ key }) => key)].map(([key, of]) => ask(context, storeId, key, of, round === 0 ? choice : elsewhere)),
      )
      const after = await Promise.all(asked.flat().map(({ leg, result }) => settle(context, storeId, leg, result)))
      done.push(...after.flatMap((one) => ('next' in one ? [] : [one])))
      legs = after.flatMap((one) => ('next' in one ? [one] : []))
    }
    return done
  } catch (error) {
    // What was begun goes on by itself or is found as it is; the orders are free to be dispatched again.
    for (const { id, key, tried } of legs)
      await updateDispatch(context.sql, storeId, id, { carrier: key, outcome: 'waiting', tried, parcelId: null })
    throw error
  }
}

async function ask(context: Context, storeId: string, key: string, legs: readonly Leg[], choice: SendChoice) {
  const results = await sendOrders(
    context,
    storeId,
    key,
    legs.map((leg) => ({ orderId: leg.choice.orderId, ...choice })),
  ).catch((error: unknown) => legs.map((leg) => refusedRow(leg.choice.orderId, asRowError(error))))
  const byOrder = new Map<string, SendRowResult>(results.map((result) => [result.orderId, result]))
  return legs.map((leg) => ({ leg, result: invariant(byOrder.get(leg.choice.orderId), 'What came of an order') }))
}

/** The connection was switched off, or its adapter removed, since it was chosen. */
function asRowError(error: unknown) {
  if (error instanceof ApiError && (error.code === 'carrier_not_enabled' || error.code === 'not_found'))
    return { code: 'carrier_not_enabled', message: error.message }
  throw error
}

/** Writes what came of one asking: the order's answer, or on to its next carrier. */
async function settle(context: Context, storeId: string, leg: Leg, result: SendRowResult): Promise<Leg | Dispatched> {
  const attempt = attemptOf(leg.key, result)
  const tried = [...leg.tried, attempt]
  const parcelId = result.outcome === 'refused' ? result.parcelId : result.parcel.id
  const write = (carrier: string | null, outcome: Dispatch['outcome']) =>
    updateDispatch(context.sql, storeId, leg.id, { carrier, outcome, tried, parcelId })
  const isLeft =
    (attempt.outcome === 'refused' || attempt.outcome === 'held_back') &&
    !(result.outcome === 'refused' && OF_THE_ORDER.includes(result.error.code))
  const others = leg.next.length === 0 && attempt.outcome === 'refused' ? heldBack(tried) : leg.next
  const [key, ...next] = isLeft ? others : []
  if (key !== undefined) {
    await write(key, 'running')
    return { ...leg, key, next, tried }
  }
  // One that takes no more for now is asked again by the parcel's own job.
  const outcome = finals[attempt.outcome]
  const carrier = outcome === 'refused' ? null : leg.key
  await write(carrier, outcome)
  return {
    ...leg.choice,
    carrier,
    reason: reasonOf(leg, carrier),
    tried,
    ...cameOf(attempt, tried, result),
  }
}

/** All others refused: the one that only takes no more for now is left to be asked again. */
function heldBack(tried: readonly Attempt[]): string[] {
  const last = new Map(tried.map((attempt) => [attempt.carrier, attempt.outcome]))
  return [...last]
    .filter(([, outcome]) => outcome === 'held_back')
    .map(([carrier]) => carrier)
    .slice(0, 1)
}

const finals: Readonly<Record<Attempt['outcome'], Dispatch['outcome']>> = {
  taken: 'sent',
  refused: 'refused',
  held_back: 'waiting',
  waiting: 'waiting',
  unknown: 'unknown',
}

function reasonOf({ choice, ranked, tried }: Leg, carrier: string | null): string {
  if (tried.length === 0) return choice.reason
  const before = tried.map(({ carrier: name }) => name).join(', ')
  const why = ranked.find(({ candidate }) => candidate.key === carrier)?.reason
  return why ? `${choice.rule ? `Rule "${choice.rule}". ` : ''}${before} did not take it. ${why}` : choice.reason
}

/** The fields of the answer that say what came of the sending. */
function cameOf(attempt: Attempt, tried: readonly Attempt[], result: SendRowResult): DispatchOutcome {
  if (result.outcome === 'sent') return { outcome: result.outcome, ...sentOf(result) }
  if (result.outcome === 'pending') {
    const error = { code: 'outcome_unknown', message: attempt.message }
    return { outcome: result.outcome, ...sentOf(result), ...(attempt.outcome === 'unknown' && { error }) }
  }
  const { error, parcelId, outcome } = result
  if (tried.length === 1) return { outcome, parcelId, error }
  const message = tried.map(({ carrier, message }) => `${carrier}: ${message}`).join(' ')
  return { outcome, parcelId, error: { code: 'carrier_refused', message } }
}

const sentOf = ({ parcel, warnings, destinationRewritten }: Exclude<SendRowResult, { outcome: 'refused' }>) => ({
  parcel,
  ...(warnings && { warnings }),
  ...(destinationRewritten && { destinationRewritten }),
})

function attemptOf(carrier: string, result: SendRowResult): Attempt {
  const said = (outcome: Attempt['outcome'], message: string): Attempt => ({ carrier, outcome, message })
  if (result.outcome === 'refused') return said('refused', result.error.message)
  const { parcel } = result
  if (parcel.outcomeUnknown)
    return said('unknown', `Whether ${carrier} took it is not known yet; it is found out, and nobody else is asked meanwhile.`)
  const isSent = parcel.status !== 'submitting' && parcel.status !== 'created'
  if (isSent) return said('taken', `${carrier} took it as ${parcel.trackingId}.`)
  // One that the carrier put off is to be sent still, and says why.
  return parcel.lastError ? said('held_back', parcel.lastError.message) : said('waiting', `${carrier} has not answered yet.`)
}

/** Somebody else has this order in hand: what came of that is the answer. */
async function answerOfOther(
  context: Context,
  store: Pick<Store, 'id' | 'projectId' | 'currencyCode'>,
  orderId: string,
): Promise<Dispatched> {
  const until = Date.now() + OTHER_WAIT_MS
  for (;;) {
    const dispatch = await findLastDispatch(context.sql, store.id, orderId)
    if (dispatch && dispatch.outcome !== 'running') {
      const parcel = await findLiveOfOrder(context.sql, store.projectId, orderId)
      const { carrier, rule, reason, tried, outcome } = dispatch
      const choice = { ...blank(orderId), carrier, rule, reason, tried }
      const message = tried.at(-1)?.message ?? reason
      const attempt: Attempt = { carrier: carrier ?? '', outcome: outcome === 'unknown' ? 'unknown' : 'taken', message }
      const refused = refusedRow(orderId, { code: 'carrier_refused', message }, dispatch.parcelId)
      return { ...choice, ...cameOf(attempt, [attempt], outcome === 'refused' || !parcel ? refused : rowOf(orderId, parcel)) }
    }
    if (Date.now() >= until) {
      const message = 'Another request is sending this order. Ask again in a few seconds.'
      return { ...blank(orderId), outcome: 'pending', reason: message, error: { code: 'idempotency_in_progress', message } }
    }
    await Bun.sleep(LOOK_AGAIN_MS)
  }
}
