import { Type as T } from '@sinclair/typebox'
import { Fee, Rate } from '../../../plugins/carrier/model.ts'
import type { Context } from '../../context.ts'
import { callAdapter } from '../../integrations/connections/calls/call-adapter.ts'
import { requireMembers } from '../../integrations/connections/calls/require-members.ts'
import type { CarrierConnection } from '../../integrations/connections/connection.ts'
import { AdapterFailure } from '../../integrations/egress/adapter-failure.ts'
import type { Subject } from './subject.ts'

export interface Quoted {
  readonly price: number | null
  /** Why the carrier does not go there, where it said so. */
  readonly notServed?: string
}

export interface Prices {
  quote(connection: CarrierConnection, subject: Subject): Promise<Quoted>
}

const KEPT_MS = 10 * 60_000
/** One that could not say is asked again sooner. */
const UNKNOWN_MS = 30_000
const KEPT_MAX = 10_000
/** One slow carrier holds up nobody: what it would say later is kept for the next order. */
const WAIT_MS = 2_000
const CALL_MS = 10_000

const UNKNOWN: Quoted = { price: null }

/** What carriers ask for an order, remembered for ten minutes. */
export function openPrices(context: Context): Prices {
  const kept = new Map<string, { readonly asked: number; until: number; readonly answer: Promise<Quoted> }>()
  function quote(connection: CarrierConnection, subject: Subject): Promise<Quoted> {
    const key = [connection.row.id, connection.row.updatedAt, subject.stateCode, ...partsOf(connection, subject)].join('\n')
    const now = Date.now()
    const known = kept.get(key)
    if (known && known.until > now) return within(known.answer, WAIT_MS - (now - known.asked))
    if (kept.size >= KEPT_MAX) kept.clear()
    const asking = { asked: now, until: now + KEPT_MS, answer: ask(context, connection, subject) }
    kept.set(key, asking)
    // A failure of ours is told to who waits for it, and not remembered.
    asking.answer.then(
      (quoted) => {
        if (quoted === UNKNOWN) asking.until = Date.now() + UNKNOWN_MS
      },
      () => kept.delete(key),
    )
    return within(asking.answer, WAIT_MS)
  }
  return { quote }
}

/** An answer that is there already is taken even where nothing is left of the time. */
const within = (answer: Promise<Quoted>, ms: number) => Promise.race([answer, Bun.sleep(Math.max(0, ms)).then(() => UNKNOWN)])

/** What a price depends on besides the state; a table of fees knows no weights. */
function partsOf({ mounted: { carrier } }: CarrierConnection, { order, deliveryType, weightKg }: Subject): (string | number)[] {
  return carrier.rates
    ? [order.destination.cityName, deliveryType, Math.ceil(weightKg), Math.ceil(Number(order.subtotal) / 1000)]
    : [deliveryType, order.destination.cityName]
}

async function ask(context: Context, connection: CarrierConnection, subject: Subject): Promise<Quoted> {
  const { carrier } = connection.mounted
  try {
    if (carrier.rates) return await byRates(context, connection, subject)
    if (carrier.fees) return await byFees(context, connection, subject)
    return UNKNOWN
  } catch (error) {
    if (!(error instanceof AdapterFailure)) throw error
    const isNo = error.reason === 'refused' || error.reason === 'not_found'
    return isNo ? { price: null, notServed: error.message } : UNKNOWN
  }
}

async function byRates(
  context: Context,
  connection: CarrierConnection,
  { order, stateCode, deliveryType, weightKg }: Subject,
): Promise<Quoted> {
  const quote = {
    stateCode,
    cityName: order.destination.cityName,
    deliveryType,
    declaredValue: Number(order.subtotal),
    ...(weightKg > 0 && { weightKg }),
  }
  const options = { operation: 'rates', deadlineMs: CALL_MS, schema: T.Array(Rate), quota: 'poll' as const }
  const rates = await callAdapter(
    context,
    connection,
    (carrier, adapter) => requireMembers(carrier, 'rates').rates(adapter, quote),
    options,
  )
  const fitting = rates.filter((rate) => rate.deliveryType === deliveryType)
  return fitting.length > 0 ? { price: Math.min(...fitting.map(({ price }) => price)) } : UNKNOWN
}

async function byFees(context: Context, connection: CarrierConnection, { order, stateCode, deliveryType }: Subject): Promise<Quoted> {
  const options = { operation: 'fees', deadlineMs: CALL_MS, schema: T.Array(Fee), quota: 'poll' as const }
  const fees = await callAdapter(
    context,
    connection,
    (carrier, adapter) => requireMembers(carrier, 'fees').fees(adapter, { stateCode }),
    options,
  )
  const there = fees.filter((fee) => fee.stateCode === stateCode)
  const fee = there.find(({ cityName }) => cityName === order.destination.cityName) ?? there.find(({ cityName }) => cityName === undefined)
  if (!fee || deliveryType === 'return_point') return UNKNOWN
  const price = fee[deliveryType]
  return price === null ? { price, notServed: `It does not deliver by ${deliveryType} in ${stateCode}.` } : { price }
}
