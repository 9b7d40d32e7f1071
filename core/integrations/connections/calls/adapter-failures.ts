import { adapterErrorNames } from '../../../../plugins/adapter.ts'
import type { FieldIssue } from '../../../lib/errors/domain-error.ts'
import { relayError } from '../../../lib/errors/domain-error.ts'
import { toStorableText } from '../../../lib/redact.ts'
import { AdapterFailure, type FailureReason, NOT_SIGNED_IN } from '../../egress/adapter-failure.ts'
import type { EgressCaller, EgressClient } from '../../egress/egress-client.ts'
import { type Connection, DEFAULT_ERROR_CODES } from '../connection.ts'
import { connectionErrors } from '../connections.errors.ts'

/** Error as an adapter throws it. An external adapter brings its own classes, so that only its members are known. */
export interface Thrown {
  readonly name?: string
  readonly stack?: string
  readonly message?: string
  readonly reason?: FailureReason
  readonly upstream?: AdapterFailure['upstream']
}

/** Removes the secrets of a connection from a text. */
export type Redact = EgressCaller['redact']

/** Converts a thrown value to a failure. Prefers the egress failure if the adapter reports "unavailable" for a request that never left. */
export function asFailure(
  error: unknown,
  connection: Connection,
  { wasSent: sent, throttleFailure: heldBack }: EgressClient,
  signal: AbortSignal,
  redact: Redact,
): AdapterFailure {
  const failure = failureOf(error, connection, { sent }, signal, redact)
  return failure.reason === 'unavailable' && !sent && heldBack ? heldBack : failure
}

/** Converts a thrown value to a failure. Compares error names, not classes, since an external adapter brings its own classes. */
function failureOf(
  error: unknown,
  { mounted }: Connection,
  { sent }: { readonly sent: boolean },
  signal: AbortSignal,
  redact: Redact,
): AdapterFailure {
  if (error instanceof AdapterFailure) return error
  const { label } = mounted.adapter
  const { name, message = '', reason, upstream } = (error ?? {}) as Thrown
  // A cause is logged, so it is dropped if it contains a secret.
  const written = error instanceof Error ? (error.stack ?? message) : String(error)
  const options = redact(written) === written ? { cause: error } : {}
  if (name !== undefined && adapterErrorNames.includes(name) && reason)
    return new AdapterFailure(reason, cleanText(message, redact), {
      wasSent: reason === 'unavailable' && sent,
      upstream: cleanUpstream(upstream, redact),
      ...options,
    })
  if (signal.aborted) return new AdapterFailure('timeout', `${label} did not answer in time.`, { wasSent: sent, ...options })
  return new AdapterFailure('unavailable', `${label} could not be asked, or its answer could not be read.`, { wasSent: sent, ...options })
}

const MESSAGE_MAX = 1_000

/** Removes the connection's secrets from a message of the provider and limits its length. Such messages are shown, stored and forwarded. */
export const cleanText = (words: string, redact: Redact) => toStorableText(redact(words), MESSAGE_MAX)

const cleanUpstream = (
  { code, message, retryAfterSeconds }: AdapterFailure['upstream'] = {},
  redact: Redact,
): AdapterFailure['upstream'] => ({
  ...(code && { code: cleanText(code, redact) }),
  ...(message && { message: cleanText(message, redact) }),
  ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
})

/** Converts an `AdapterFailure` to the error of its kind; returns anything else unchanged. */
export function toDomainError(failure: unknown): unknown {
  if (!(failure instanceof AdapterFailure)) return failure
  const codes = failure.kind?.codes ?? DEFAULT_ERROR_CODES
  const { code, message, retryAfterSeconds } = failure.upstream
  const said = [code, message].filter(Boolean).join(': ')
  const issues: FieldIssue[] = said ? [{ isOutside: true, field: ['upstream'], message: said }] : []
  const extra = { issues, cause: failure }
  if (code === NOT_SIGNED_IN) return relayError('sign_in_needed', failure.message, { cause: failure })
  if (failure.reason === 'refused') return relayError(codes.refused, failure.message, extra)
  if (failure.reason === 'not_found') return relayError('not_found', failure.message, extra)
  if (failure.reason === 'timeout') return relayError('upstream_timeout', failure.message, extra)
  if (failure.reason === 'rate_limited') {
    const wait = Math.max(1, Math.ceil(retryAfterSeconds ?? 60))
    return connectionErrors.rateLimitReached(
      { wait },
      {
        ...extra,
        retryAfterSeconds: wait,
      },
    )
  }
  // An open circuit states when the provider is called again.
  const wait = retryAfterSeconds === undefined ? undefined : Math.max(1, Math.ceil(retryAfterSeconds))
  return relayError(codes.failed, failure.message, { ...extra, retryAfterSeconds: wait })
}
