import { type AdapterContext, AdapterError, adapterErrorNames, failureReasons, HOST_FAILURE, type InboundRequest } from '../../adapter.ts'
import type { Member } from '../../member.ts'
import type { Failure } from './protocol.ts'

/** One call of an adapter's function. */
export interface AdapterCall {
  readonly slug: string
  /** Name of the member: `send`, `webhook.receive`. */
  readonly name: string
  readonly member: Member
  readonly context: AdapterContext
  /** Arguments after the context. */
  readonly args: readonly unknown[]
  /** The platform's request, for a member that takes one. */
  readonly request?: InboundRequest
  /** Receives the parts of a streaming member as they come. */
  readonly onPart?: (part: unknown) => void
}

/** Creates an `unavailable` error. */
export const unavailableError = (message: string) => new AdapterError('unavailable', message)

const contractErrorNames: readonly string[] = [...adapterErrorNames, HOST_FAILURE]

/** Restores an error that an adapter threw. An unknown reason becomes `unavailable`. */
export function restoreError({ name, message, reason, upstream = {}, stack = '' }: Failure): Error {
  const stackOnly = { stack: `${name}: ${message}\n${stack}` }
  if (!contractErrorNames.includes(name)) return Object.assign(new Error(message), { name, ...stackOnly })
  return Object.assign(
    new AdapterError(failureReasons.find((one) => one === reason) ?? 'unavailable', message, withoutUndefined(upstream)),
    stackOnly,
  )
}

/** Removes undefined members. */
function withoutUndefined({ code, message, retryAfterSeconds }: NonNullable<Failure['upstream']>): AdapterError['upstream'] {
  return {
    ...(code !== undefined && { code }),
    ...(message !== undefined && { message }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  }
}
