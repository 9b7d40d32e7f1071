import type { CarrierConnection } from '../../integrations/connections/connection.ts'
import { stateCodesOf } from '../../platform/geo/catalogue/state-codes.ts'
import type { CarrierReason, DispatchRule } from './dispatch.model.ts'
import type { PriceSource } from './prices.ts'
import type { DispatchSubject } from './subject.ts'
import type { SuccessLookup, SuccessRate } from './success.ts'

/** Carrier that can send an order, with its success rate and price there. */
export interface Candidate {
  readonly connection: CarrierConnection
  readonly key: string
  readonly share: number
  readonly success: SuccessRate
  /** Price in the carrier's currency; null when unknown. */
  readonly price: number | null
}

/** Carriers that can send an order, and the others with the reasons against them. */
export interface CandidateSelection {
  readonly candidates: readonly Candidate[]
  readonly leftOut: readonly CarrierReason[]
}

/** Returns true when the conditions of a rule match an order. */
export function isRuleApplicable({ when: { states, deliveryTypes, weightKg, amount } }: DispatchRule, subject: DispatchSubject): boolean {
  return (
    (!states || stateCodesOf(subject.order.destination).some((code) => states.includes(code))) &&
    (!deliveryTypes || deliveryTypes.includes(subject.deliveryType)) &&
    isWithin(weightKg, subject.weightKg) &&
    isWithin(amount, subject.amount)
  )
}

const isWithin = (range: { min?: number; max?: number } | undefined, value: number) =>
  value >= (range?.min ?? Number.NEGATIVE_INFINITY) && value <= (range?.max ?? Number.POSITIVE_INFINITY)

/** Selects the listed carriers that can send an order, in the order of the list. Reads prices only if `prices` is given. */
export async function selectCandidates(
  subject: DispatchSubject,
  connections: readonly CarrierConnection[],
  listed: DispatchRule['carriers'],
  success: SuccessLookup,
  prices: PriceSource | null,
): Promise<CandidateSelection> {
  const candidates: Candidate[] = []
  const leftOut: CarrierReason[] = connections
    .filter(({ row }) => !listed.some(({ carrier }) => carrier === row.key))
    .map(({ row }) => ({ carrier: row.key, reason: 'The rule does not name it.' }))
  const quotes = new Map(
    await Promise.all(
      prices ? connections.map(async (connection) => [connection.row.key, await prices.quote(connection, subject)] as const) : [],
    ),
  )
  for (const { carrier: key, share = 0, minSuccessRate } of listed) {
    const connection = connections.find(({ row }) => row.key === key)
    if (!connection) {
      leftOut.push({ carrier: key, reason: 'The store has not enabled it, or its adapter is missing.' })
      continue
    }
    const known = success(connection.row.id, subject)
    const quote = quotes.get(key)
    const reason = unsupportedReason(connection, subject) ?? lowSuccessReason(known, minSuccessRate) ?? quote?.notServed
    if (reason) leftOut.push({ carrier: key, reason })
    else candidates.push({ connection, key, share, success: known, price: quote?.price ?? null })
  }
  return { candidates, leftOut }
}

function unsupportedReason(
  { mounted: { carrier } }: CarrierConnection,
  { order, deliveryType, amount, currency }: DispatchSubject,
): string | undefined {
  const { country } = order.destination
  if (!carrier.countries.includes(country)) return `It does not deliver in ${country}.`
  if (!carrier.deliveryTypes.includes(deliveryType)) return `It does not deliver by ${deliveryType}.`
  if (carrier.currency !== currency) return `It collects ${carrier.currency}, and the store sells in ${currency}.`
  if (carrier.codMax !== undefined && amount > carrier.codMax)
    return `It collects at most ${carrier.codMax} ${carrier.currency}, and the amount is ${amount}.`
  return undefined
}

const lowSuccessReason = ({ rate, ended }: SuccessRate, least: number | undefined) =>
  rate !== null && least !== undefined && rate < least
    ? `It delivered ${formatPercent(rate)} of ${ended} there in 180 days, and the rule requires ${formatPercent(least)}.`
    : undefined

/** Formats a share between 0 and 1 as a percentage. */
export const formatPercent = (part: number) => `${Math.round(part * 1000) / 10} %`
