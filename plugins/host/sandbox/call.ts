import { type AdapterContext, AdapterError, adapterErrorNames, failureReasons, HOST_FAILURE, type InboundRequest } from '../../adapter.ts'
import type { Member } from '../../member.ts'
import type { Failure } from './protocol.ts'

/** One function of an adapter, asked for. */
export interface Call {
  readonly slug: string
  /** As its kind names it: `send`, `webhook.parse`. */
  readonly name: string
  readonly member: Member
  readonly context: AdapterContext
  /** What follows the context. */
  readonly args: readonly unknown[]
  /** Of a member that takes one: what came from the other side. */
  readonly request?: InboundRequest
  /** Of a member that streams: takes its parts, as they come. */
  readonly onPart?: (part: unknown) => void
}

export const unavailable = (message: string) => new AdapterError('unavailable', message)

const known: readonly string[] = [...adapterErrorNames, HOST_FAILURE]

/** What an adapter threw, as the core knows it: a reason that is none of ours is no reason. */
export function thrownBy({ name, message, reason, upstream = {}, stack = '' }: Failure): Error {
  const told = { stack: `${name}: ${message}\n${stack}` }
  if (!known.includes(name)) return Object.assign(new Error(message), { name, ...told })
  return Object.assign(new AdapterError(failureReasons.find((one) => one === reason) ?? 'unavailable', message, defined(upstream)), told)
}

/** Without what is written down as undefined. */
function defined({ code, message, retryAfterSeconds }: NonNullable<Failure['upstream']>): AdapterError['upstream'] {
  return {
    ...(code !== undefined && { code }),
    ...(message !== undefined && { message }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  }
}
