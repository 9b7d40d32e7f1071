import { Type as T } from '@sinclair/typebox'
import { Fee, Rate } from '../../../plugins/carrier/places.model.ts'
import type { Context } from '../../context.ts'
import { callAdapter } from '../../integrations/connections/calls/call-adapter.ts'
import { requireMembers } from '../../integrations/connections/calls/require-members.ts'
import type { CarrierConnection } from '../../integrations/connections/connection.ts'
import { AdapterFailure } from '../../integrations/egress/adapter-failure.ts'
import type { DispatchSubject } from './subject.ts'

/** Price of a carrier for an order; null when unknown. */
export interface PriceQuote {
  readonly price: number | null
  /** Reason of the carrier for not serving the destination. */
  readonly notServed?: string
}

/** Source of carrier prices. */
export interface PriceSource {
  quote(connection: CarrierConnection, subject: DispatchSubject): Promise<PriceQuote>
}

const CACHE_MS = 10 * 60_000
/** Cache duration of an unknown price. */
const UNKNOWN_MS = 30_000
const CACHE_MAX = 10_000
/** Maximum wait for a price; a later result is cached for the next order. */
const WAIT_MS = 2_000
const CALL_MS = 10_000

const UNKNOWN: PriceQuote = { price: null }

/** Opens a source of carrier prices that caches them for ten minutes. */
export function openPriceSource(context: Context): PriceSource {
  const cache = new Map<string, { readonly asked: number; until: number; readonly answer: Promise<PriceQuote> }>()
  function quote(connection: CarrierConnection, subject: DispatchSubject): Promise<PriceQuote> {
    const key = [connection.row.id, connection.row.updatedAt, subject.stateCode, ...cacheKeyPartsOf(connection, subject)].join('\n')
    const now = Date.now()
    const known = cache.get(key)
    if (known && known.until > now) return withTimeout(known.answer, WAIT_MS - (now - known.asked))
    if (cache.size >= CACHE_MAX) cache.clear()
    const asking = { asked: now, until: now + CACHE_MS, answer: requestQuote(context, connection, subject) }
    cache.set(key, asking)
    // An unexpected failure reaches the waiting callers, and is not cached.
    asking.answer.then(
      (quoted) => {
        if (quoted === UNKNOWN) asking.until = Date.now() + UNKNOWN_MS
      },
      () => cache.delete(key),
    )
    return withTimeout(asking.answer, WAIT_MS)
  }
  return { quote }
}

/** Returns the price, or unknown after the timeout. A cached price wins even with no time left. */
const withTimeout = (answer: Promise<PriceQuote>, ms: number) => Promise.race([answer, Bun.sleep(Math.max(0, ms)).then(() => UNKNOWN)])

/** Parts of the cache key besides the state; a fee table does not depend on the weight. */
function cacheKeyPartsOf(
  { mounted: { carrier } }: CarrierConnection,
  { order, deliveryType, weightKg }: DispatchSubject,
): (string | number)[] {
  return carrier.rates
    ? [order.destination.cityName, deliveryType, Math.ceil(weightKg), Math.ceil(Number(order.subtotal) / 1000)]
    : [deliveryType, order.destination.cityName]
}

async function requestQuote(context: Context, connection: CarrierConnection, subject: DispatchSubject): Promise<PriceQuote> {
  const { carrier } = connection.mounted
  try {
    if (carrier.rates) return await quoteByRates(context, connection, subject)
    if (carrier.fees) return await quoteByFees(context, connection, subject)
    return UNKNOWN
  } catch (error) {
    if (!(error instanceof AdapterFailure)) throw error
    const isNo = error.reason === 'refused' || error.reason === 'not_found'
    return isNo ? { price: null, notServed: error.message } : UNKNOWN
  }
}

async function quoteByRates(
  context: Context,
  connection: CarrierConnection,
  { order, stateCode, deliveryType, weightKg }: DispatchSubject,
): Promise<PriceQuote> {
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

async function quoteByFees(
  context: Context,
  connection: CarrierConnection,
  { order, stateCode, deliveryType }: DispatchSubject,
): Promise<PriceQuote> {
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
