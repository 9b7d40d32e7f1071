import { type CarrierContext, CarrierError, type InboundRequest } from '../../carrier/contract.ts'
import type { MemberName } from '../../carrier/members.ts'
import type { Failure } from './protocol.ts'

/** One function of an adapter, asked for. */
export interface Call {
  readonly slug: string
  readonly member: MemberName
  readonly context: CarrierContext
  /** What follows the context. */
  readonly args: readonly unknown[]
  /** Of `webhook.*`: what came from the carrier. */
  readonly request?: InboundRequest
}

export const unavailable = (message: string) => new CarrierError('unavailable', message)

const REASONS = ['refused', 'unauthorized', 'rate_limited', 'not_found', 'unavailable'] as const
/** Of the gateway, which a carrier lets through as they came. */
const OURS = ['CarrierError', 'CarrierFailure']

/** What an adapter threw, as the core knows it: a reason that is none of ours is no reason. */
export function thrownBy({ name, message, reason, upstream = {} }: Failure): Error {
  if (!OURS.includes(name)) return Object.assign(new Error(message), { name })
  const known = REASONS.find((one) => one === reason) ?? 'unavailable'
  return new CarrierError(known, message, upstream as ConstructorParameters<typeof CarrierError>[2])
}
