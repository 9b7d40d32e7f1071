import type { SendRowResult } from '../../../plugins/carrier/rows.model.ts'
import type { Context } from '../../context.ts'
import { describeError } from '../../lib/errors/describe-error.ts'
import { DomainError } from '../../lib/errors/domain-error.ts'
import { invariant } from '../../lib/invariant.ts'
import { findNewestLiveParcel } from '../../logistics/parcels/parcels.queries.ts'
import type { SendChoice } from '../../orders/parcels/new-parcel.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { refusedSendRow, sendOrders, sendRowOf } from '../sending/send-order.ts'
import { assignCarriers, type DispatchAssignment } from './assign-carriers.ts'
import type { Dispatch, DispatchAttempt, DispatchOutcome, DispatchResult } from './dispatch.model.ts'
import { findLastDispatch, updateDispatch } from './dispatch.queries.ts'
import { emptyChoice, planDispatch } from './plan-dispatch.ts'
import type { PriceSource } from './prices.ts'

/** Maximum number of carriers used for one order; each may need ten seconds. */
const CARRIERS_MAX = 4
const OTHER_WAIT_MS = 30_000
const REREAD_MS = 150
/** Errors of the order itself, which another carrier does not solve. */
const ORDER_ERRORS = [
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
 * Sends each order with the carrier that the store's rules choose. After a refusal, or when the carrier cannot be called, uses the next
 * one; after an unknown outcome, uses no other. Each order has its own result.
 */
export async function dispatchOrders(
  context: Context,
  prices: PriceSource,
  store: Pick<Store, 'id' | 'projectId' | 'currencyCode'>,
  orderIds: readonly string[],
  choice: SendChoice,
  { dryRun }: { readonly dryRun: boolean },
): Promise<DispatchResult[]> {
  const assignments = await assignCarriers(context.sql, store.id, await planDispatch(context, prices, store, orderIds, choice), {
    isRecorded: !dryRun,
  })
  if (dryRun) return assignments.map(presentAssignment)
  const [sent, others] = await Promise.all([
    sendInRounds(context, store.id, assignments.flatMap(legOf), choice),
    Promise.all(
      assignments
        .filter(({ id, ranked }) => id === null && ranked.length > 0)
        .map(({ choice }) => waitForOtherDispatch(context, store, choice.orderId)),
    ),
  ])
  const answers = new Map([...sent, ...others].map((answer) => [answer.orderId, answer]))
  return assignments.map((turn) => answers.get(turn.choice.orderId) ?? presentAssignment(turn))
}

/** Result of an order that no carrier was used for: the known result, or the plan. */
const presentAssignment = ({ choice, result: came }: DispatchAssignment): DispatchResult => ({
  ...choice,
  ...(came ?? { outcome: 'planned' }),
})

/** Order on its way through its carriers. */
interface DispatchLeg extends DispatchAssignment {
  readonly id: string
  /** Carrier in use, and the carriers after it. */
  readonly key: string
  readonly next: readonly string[]
  readonly tried: readonly DispatchAttempt[]
}

/** Returns a leg for an assignment; none when no carrier is to be used, or another request dispatches the order. */
function legOf(assignment: DispatchAssignment): DispatchLeg[] {
  const [key, ...next] = assignment.ranked.slice(0, CARRIERS_MAX).map(({ candidate }) => candidate.key)
  return assignment.id === null || key === undefined ? [] : [{ ...assignment, id: assignment.id, key, next, tried: [] }]
}

/** Sends orders in rounds: orders of the same carrier together, and refused ones with their next carrier in the next round. */
async function sendInRounds(
  context: Context,
  storeId: string,
  begun: readonly DispatchLeg[],
  choice: SendChoice,
): Promise<DispatchResult[]> {
  const done: DispatchResult[] = []
  let legs = begun
  try {
    for (let round = 0; legs.length > 0; round += 1) {
      // A pickup point belongs to one carrier; later carriers choose their nearest one.
      const { pickupId: _, ...elsewhere } = choice
      const asked = await Promise.all(
        [...Map.groupBy(legs, ({ key }) => key)].map(([key, of]) =>
          sendToCarrier(context, storeId, key, of, round === 0 ? choice : elsewhere),
        ),
      )
      const after = await Promise.all(asked.flat().map(({ leg, result }) => recordAttempt(context, storeId, leg, result)))
      done.push(...after.flatMap((one) => ('next' in one ? [] : [one])))
      legs = after.flatMap((one) => ('next' in one ? [one] : []))
    }
    return done
  } catch (error) {
    // Submissions that have started continue by themselves; the orders can be dispatched again.
    for (const { id, key, tried } of legs)
      await updateDispatch(context.sql, storeId, id, { carrier: key, outcome: 'waiting', tried, parcelId: null })
    throw error
  }
}

async function sendToCarrier(context: Context, storeId: string, key: string, legs: readonly DispatchLeg[], choice: SendChoice) {
  const results = await sendOrders(
    context,
    storeId,
    key,
    legs.map((leg) => ({ orderId: leg.choice.orderId, ...choice })),
  ).catch((error: unknown) => legs.map((leg) => refusedSendRow(leg.choice.orderId, asRowError(error))))
  const byOrder = new Map<string, SendRowResult>(results.map((result) => [result.orderId, result]))
  return legs.map((leg) => ({ leg, result: invariant(byOrder.get(leg.choice.orderId), 'What came of an order') }))
}

/** Error of a row when the connection was disabled, or its adapter removed, since it was chosen. */
function asRowError(error: unknown) {
  if (error instanceof DomainError && (error.code === 'carrier_not_enabled' || error.code === 'not_found'))
    return { code: 'carrier_not_enabled', message: describeError(error) }
  throw error
}

/** Records one attempt. Returns the final result of the order, or its leg with the next carrier. */
async function recordAttempt(
  context: Context,
  storeId: string,
  leg: DispatchLeg,
  result: SendRowResult,
): Promise<DispatchLeg | DispatchResult> {
  const attempt = attemptOf(leg.key, result)
  const tried = [...leg.tried, attempt]
  const parcelId = result.outcome === 'refused' ? result.parcelId : result.parcel.id
  const write = (carrier: string | null, outcome: Dispatch['outcome']) =>
    updateDispatch(context.sql, storeId, leg.id, { carrier, outcome, tried, parcelId })
  const isLeft =
    (attempt.outcome === 'refused' || attempt.outcome === 'held_back') &&
    !(result.outcome === 'refused' && ORDER_ERRORS.includes(result.error.code))
  const others = leg.next.length === 0 && attempt.outcome === 'refused' ? heldBackCarriers(tried) : leg.next
  const [key, ...next] = isLeft ? others : []
  if (key !== undefined) {
    await write(key, 'running')
    return { ...leg, key, next, tried }
  }
  // A carrier that accepts no more for now is called again by the job of the parcel.
  const outcome = finalOutcomes[attempt.outcome]
  const carrier = outcome === 'refused' ? null : leg.key
  await write(carrier, outcome)
  return {
    ...leg.choice,
    carrier,
    reason: reasonOf(leg, carrier),
    tried,
    ...outcomeOf(attempt, tried, result),
  }
}

/** Returns the carrier that only accepted no more for now, when all others refused. */
function heldBackCarriers(tried: readonly DispatchAttempt[]): string[] {
  const last = new Map(tried.map((attempt) => [attempt.carrier, attempt.outcome]))
  return [...last]
    .filter(([, outcome]) => outcome === 'held_back')
    .map(([carrier]) => carrier)
    .slice(0, 1)
}

const finalOutcomes: Readonly<Record<DispatchAttempt['outcome'], Dispatch['outcome']>> = {
  taken: 'sent',
  refused: 'refused',
  held_back: 'waiting',
  waiting: 'waiting',
  unknown: 'unknown',
}

function reasonOf({ choice, ranked, tried }: DispatchLeg, carrier: string | null): string {
  if (tried.length === 0) return choice.reason
  const before = tried.map(({ carrier: name }) => name).join(', ')
  const why = ranked.find(({ candidate }) => candidate.key === carrier)?.reason
  return why ? `${choice.rule ? `Rule "${choice.rule}". ` : ''}${before} did not accept it. ${why}` : choice.reason
}

/** Fields of the result that describe the outcome of the sending. */
function outcomeOf(attempt: DispatchAttempt, tried: readonly DispatchAttempt[], result: SendRowResult): DispatchOutcome {
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

function attemptOf(carrier: string, result: SendRowResult): DispatchAttempt {
  const toAttempt = (outcome: DispatchAttempt['outcome'], message: string): DispatchAttempt => ({ carrier, outcome, message })
  if (result.outcome === 'refused') return toAttempt('refused', result.error.message)
  const { parcel } = result
  if (parcel.outcomeUnknown)
    return toAttempt(
      'unknown',
      `The outcome at ${carrier} is not known yet; it is being looked up, and no other carrier is used meanwhile.`,
    )
  const isSent = parcel.status !== 'submitting' && parcel.status !== 'created'
  if (isSent) return toAttempt('taken', `${carrier} accepted it as ${parcel.trackingId}.`)
  // A parcel that the carrier postponed is still queued, with the reason.
  return parcel.lastError ? toAttempt('held_back', parcel.lastError.message) : toAttempt('waiting', `${carrier} has not responded yet.`)
}

/** Waits for another request that dispatches the same order, and returns its result. */
async function waitForOtherDispatch(
  context: Context,
  store: Pick<Store, 'id' | 'projectId' | 'currencyCode'>,
  orderId: string,
): Promise<DispatchResult> {
  const until = Date.now() + OTHER_WAIT_MS
  for (;;) {
    const dispatch = await findLastDispatch(context.sql, store.id, orderId)
    if (dispatch && dispatch.outcome !== 'running') {
      const parcel = await findNewestLiveParcel(context.sql, store.projectId, orderId)
      const { carrier, rule, reason, tried, outcome } = dispatch
      const choice = { ...emptyChoice(orderId), carrier, rule, reason, tried }
      const message = tried.at(-1)?.message ?? reason
      const attempt: DispatchAttempt = { carrier: carrier ?? '', outcome: outcome === 'unknown' ? 'unknown' : 'taken', message }
      const refused = refusedSendRow(orderId, { code: 'carrier_refused', message }, dispatch.parcelId)
      return { ...choice, ...outcomeOf(attempt, [attempt], outcome === 'refused' || !parcel ? refused : sendRowOf(orderId, parcel)) }
    }
    if (Date.now() >= until) {
      const message = 'Another request is sending this order. Try again in a few seconds.'
      return { ...emptyChoice(orderId), outcome: 'pending', reason: message, error: { code: 'idempotency_in_progress', message } }
    }
    await Bun.sleep(REREAD_MS)
  }
}
