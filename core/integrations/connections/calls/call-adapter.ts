import type { TSchema } from '@sinclair/typebox'
import { type AdapterContext, adapterErrorNames, HOST_FAILURE } from '../../../../plugins/adapter.ts'
import { type Fields, type Values, withDefaults } from '../../../../plugins/fields.ts'
import { fit } from '../../../../plugins/fit.ts'
import type { AnyMountedAdapter } from '../../../../plugins/host/registry.ts'
import { sourceLocationOf } from '../../../../plugins/host/source-maps.ts'
import { limits } from '../../../config.ts'
import type { Context } from '../../../context.ts'
import { ApiError } from '../../../http/errors/errors.ts'
import { redactorOf, toStorableText } from '../../../lib/redact.ts'
import { AdapterFailure, type FailureReason, NOT_SIGNED_IN } from '../../egress/adapter-failure.ts'
import { createEgressClient, type EgressCaller, type EgressClient } from '../../egress/egress-client.ts'
import { type QuotaClass, quotaShares } from '../../egress/quota.ts'
import { peekSlotWait } from '../../egress/slots.ts'
import { type Connection, DEFAULT_ERROR_CODES } from '../connection.ts'
import { recordCallFailure, recordCallSuccess } from '../health/attention.ts'
import { acquireAccess, withClientCredentials } from '../oauth-client/access.ts'
import { hostsOf } from './hosts.ts'
import { storageOf } from './storage.ts'

export { hostsOf }

/** Outcomes of one call that acted on several parcels, each with its parcels. */
export type TracedOutcomes = readonly { readonly outcome: string; readonly message: string | null; readonly parcelIds: readonly string[] }[]

/** Options of a call of an adapter. */
export interface CallOptions {
  /** Name of the operation in the trace. */
  readonly operation: string
  /** Parcels that the call concerns; the trace is listed under each. */
  readonly parcelIds?: readonly string[]
  readonly deadlineMs?: number
  readonly schema?: TSchema
  readonly signal?: AbortSignal
  /** Derives the traced outcomes from the answer; by default there is one, `ok`. */
  readonly outcomeOf?: (answer: unknown) => TracedOutcomes
  /** Priority class in the account's quota; `write` by default. */
  readonly quota?: QuotaClass
}

/**
 * Calls an adapter with a deadline, and checks its answer against `schema`. Adds a valid access token if the adapter uses OAuth. Renews the
 * token and calls once more if the provider rejects it. Throws `AdapterFailure`.
 */
export async function callAdapter<M extends AnyMountedAdapter, V>(
  context: Context,
  connection: Connection<M>,
  work: Work<M, V>,
  options: CallOptions,
): Promise<V> {
  const ms = options.deadlineMs ?? limits.carrierCallMs
  const until = performance.now() + ms
  const deadline = AbortSignal.timeout(ms)
  const signal = options.signal ? AbortSignal.any([deadline, options.signal]) : deadline
  const last = { signal, until, isLast: true }
  if (!connection.mounted.adapter.oauth) return callOnce(context, connection, work, options, last)
  if (options.operation === CALLBACK) return callOnce(context, await withClientCredentials(context, connection), work, options, last)
  const access = await accessIn(context, connection, signal, options)
  try {
    return await callOnce(context, access.connection, work, options, { signal, until, isLast: !access.isRenewable })
  } catch (error) {
    if (!access.isRenewable || !(error instanceof AdapterFailure) || error.reason !== 'unauthorized') throw error
    const renewed = await accessIn(context, connection, signal, options, access.version)
    return callOnce(context, renewed.connection, work, options, last)
  }
}

type Work<M extends AnyMountedAdapter, V> = (adapter: M['adapter'], adapterContext: AdapterContext) => V | Promise<V>

/** Operation that reads a webhook: it needs no access token, so it works even if the sign-in has ended. */
const CALLBACK = 'webhook'

async function accessIn<C extends Connection>(context: Context, connection: C, signal: AbortSignal, options: CallOptions, not?: number) {
  const began = Date.now()
  try {
    return await untilAborted(acquireAccess(context, connection, signal, not), signal)
  } catch (error) {
    if (!(error instanceof AdapterFailure)) throw error
    error.kind = connection.mounted.kind
    writeTrace(context, connection, { exchanges: [] }, options, { began, outcome: error.reason, message: error.message })
    throw error
  }
}

interface Attempt {
  readonly signal: AbortSignal
  /** Time by `performance.now()` at which the attempt ends. */
  readonly until: number
  /** True if no further attempt follows a rejection by the provider. */
  readonly isLast: boolean
}

async function callOnce<M extends AnyMountedAdapter, V>(
  context: Context,
  connection: Connection<M>,
  work: Work<M, V>,
  options: CallOptions,
  { signal, until, isLast }: Attempt,
): Promise<V> {
  const redact = redactorOf(secretsOf(connection))
  const out = createEgressClient(context, { ...egressCallerOf(context, connection, redact, options), notAfter: until }, signal)
  const began = Date.now()
  const trace = (outcome: string, message: string | null) => writeTrace(context, connection, out, options, { began, outcome, message })
  try {
    const answer = await untilAborted(
      Promise.resolve(work(connection.mounted.adapter, adapterContextOf(context, connection, signal, out, redact))),
      signal,
    )
    const fitted = options.schema && (await fit(options.schema, answer))
    if (fitted && 'problem' in fitted)
      throw new AdapterFailure('unavailable', true, `The adapter answered in a wrong shape (${fitted.problem}).`)
    const traced = options.outcomeOf?.(answer) ?? [{ outcome: 'ok', message: null, parcelIds: options.parcelIds ?? [] }]
    for (const { outcome, message, parcelIds } of traced)
      writeTrace(context, connection, out, { ...options, parcelIds }, { began, outcome, message: message && cleanText(message, redact) })
    if (out.exchanges.length > 0) recordCallSuccess(context, connection.row, options.operation)
    return answer
  } catch (error) {
    const failure = asFailure(error, connection, out, signal, redact)
    failure.kind = connection.mounted.kind
    context.log.debug({ err: failure, adapter: connection.row.key }, 'a call of an adapter failed')
    trace(failure.reason, failure.message + noteForAuthor(context, connection, options.operation, error, redact))
    if (isLast && out.exchanges.length > 0) recordCallFailure(context, connection.row, options.operation, failure)
    throw failure
  }
}

/**
 * Returns a note for the adapter's author, beyond the public message: the place in the adapter's code, and any unexpected exception. Logs
 * the exception as well.
 */
function noteForAuthor(context: Context, connection: Connection, operation: string, error: unknown, redact: Redact): string {
  const { name, message, reason, stack } = (error ?? {}) as Thrown
  if (name !== undefined && HOST_ERROR_NAMES.includes(name)) return ''
  const place = sourceLocationOf(stack)
  const where = place ? ` (${place})` : ''
  if (name !== undefined && adapterErrorNames.includes(name)) return reason === 'unavailable' ? where : ''
  const thrown = cleanText(`${name ?? 'Thrown'}: ${message ?? String(error)}${where}`, redact)
  logOnce(context, connection, operation, thrown)
  return ` ${thrown}`
}

/** Names of errors that the host throws, not the adapter. */
const HOST_ERROR_NAMES: readonly string[] = [HOST_FAILURE, 'OutboundError', 'TimeoutError', 'AbortError']
const LOG_AGAIN_MS = 10 * 60_000
const LOGGED_MAX = 1_000
const loggedAt = new Map<string, number>()

/** Logs a cause of failure once per connection, and again every ten minutes while it lasts. */
function logOnce({ log }: Context, { row }: Connection, operation: string, thrown: string) {
  const cause = `${row.id} ${thrown}`
  if ((loggedAt.get(cause) ?? 0) > Date.now() - LOG_AGAIN_MS) return
  if (loggedAt.size >= LOGGED_MAX) loggedAt.clear()
  loggedAt.set(cause, Date.now())
  log.warn({ adapter: row.key, connection: row.id, operation, thrown }, 'an adapter threw an unexpected error')
}

/** Records a trace, unless the call sent no request and concerns no parcel. */
function writeTrace(
  { egress: gateway }: Context,
  { row }: Connection,
  { exchanges }: Pick<EgressClient, 'exchanges'>,
  { operation, parcelIds = [] }: CallOptions,
  { began, outcome, message }: { began: number; outcome: string; message: string | null },
) {
  if (exchanges.length === 0 && parcelIds.length === 0) return
  const at = new Date(began).toISOString()
  gateway.traceWriter.record({
    projectId: row.projectId,
    connectionId: row.id,
    parcelIds,
    at,
    ms: Date.now() - began,
    operation,
    outcome,
    message,
    exchanges: [...exchanges],
  })
}

/** Rejects when the signal aborts, even if the adapter never answers. A call without requests counts as sent. */
function untilAborted<V>(work: Promise<V>, signal: AbortSignal): Promise<V> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new AdapterFailure('timeout', true, 'It did not answer in time.'))
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}

interface Thrown {
  readonly name?: string
  readonly stack?: string
  readonly message?: string
  readonly reason?: FailureReason
  readonly upstream?: AdapterFailure['upstream']
}

type Redact = EgressCaller['redact']

/** Converts a thrown value to a failure. Prefers the egress failure if the adapter reports "unavailable" for a request that never left. */
function asFailure(
  error: unknown,
  connection: Connection,
  { wasSent: sent, throttleFailure: heldBack }: EgressClient,
  signal: AbortSignal,
  redact: Redact,
): AdapterFailure {
  const failure = failureOf(error, connection, sent, signal, redact)
  return failure.reason === 'unavailable' && !sent && heldBack ? heldBack : failure
}

/** Converts a thrown value to a failure. Compares error names, not classes, since an external adapter brings its own classes. */
function failureOf(error: unknown, { mounted }: Connection, sent: boolean, signal: AbortSignal, redact: Redact): AdapterFailure {
  if (error instanceof AdapterFailure) return error
  const { label } = mounted.adapter
  const { name, message = '', reason, upstream } = (error ?? {}) as Thrown
  // A cause is logged, so it is dropped if it contains a secret.
  const written = error instanceof Error ? (error.stack ?? message) : String(error)
  const options = redact(written) === written ? { cause: error } : {}
  if (name !== undefined && adapterErrorNames.includes(name) && reason)
    return new AdapterFailure(
      reason,
      reason === 'unavailable' && sent,
      cleanText(message, redact),
      cleanUpstream(upstream, redact),
      options,
    )
  if (signal.aborted) return new AdapterFailure('timeout', sent, `${label} did not answer in time.`, {}, options)
  return new AdapterFailure('unavailable', sent, `${label} could not be asked, or its answer could not be read.`, {}, options)
}

const MESSAGE_MAX = 1_000

/** Removes the connection's secrets from a message of the provider and limits its length. Such messages are shown, stored and forwarded. */
const cleanText = (words: string, redact: Redact) => toStorableText(redact(words), MESSAGE_MAX)

const cleanUpstream = (
  { code, message, retryAfterSeconds }: AdapterFailure['upstream'] = {},
  redact: Redact,
): AdapterFailure['upstream'] => ({
  ...(code && { code: cleanText(code, redact) }),
  ...(message && { message: cleanText(message, redact) }),
  ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
})

/** Converts an `AdapterFailure` to the API error of its kind; returns anything else unchanged. */
export function toApiError(failure: unknown): unknown {
  if (!(failure instanceof AdapterFailure)) return failure
  const codes = failure.kind?.codes ?? DEFAULT_ERROR_CODES
  const { code, message, retryAfterSeconds } = failure.upstream
  const details = code || message ? { details: [{ path: '/upstream', message: [code, message].filter(Boolean).join(': ') }] } : {}
  const extra = { ...details, cause: failure }
  if (code === NOT_SIGNED_IN) return new ApiError('sign_in_needed', failure.message, { cause: failure })
  if (failure.reason === 'refused') return new ApiError(codes.refused, failure.message, extra)
  if (failure.reason === 'not_found') return new ApiError('not_found', failure.message, extra)
  if (failure.reason === 'timeout') return new ApiError('upstream_timeout', failure.message, extra)
  if (failure.reason === 'rate_limited') {
    const wait = String(Math.max(1, Math.ceil(retryAfterSeconds ?? 60)))
    return new ApiError('rate_limited', `The rate limit is reached. Retry in ${wait} s.`, {
      ...extra,
      headers: { 'retry-after': wait },
    })
  }
  // An open circuit states when the provider is called again.
  const headers = retryAfterSeconds === undefined ? {} : { headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))) } }
  return new ApiError(codes.failed, failure.message, { ...extra, ...headers })
}

function egressCallerOf(
  context: Context,
  connection: Connection,
  redact: EgressCaller['redact'],
  { quota = 'write', parcelIds }: CallOptions,
): EgressCaller {
  const { row, mounted } = connection
  const { adapter } = mounted
  return {
    connectionId: row.id,
    label: adapter.label,
    hosts: hostsOf(context, connection),
    windows: adapter.rateWindows,
    redact,
    parcelCount: parcelIds?.length ?? 0,
    share: quotaShares[quota],
  }
}

/**
 * Returns 0 if a call could get a slot now, else the milliseconds to wait. With `line`, reserves a time behind all other waiting callers.
 */
export const slotWaitOf = (
  context: Context,
  { row, mounted }: Connection,
  { quota = 'write', line = false }: { quota?: QuotaClass; line?: boolean } = {},
): Promise<number> => peekSlotWait(context, row.id, mounted.adapter.rateWindows, { share: quotaShares[quota], canReserve: line })

function adapterContextOf(
  context: Context,
  connection: Connection,
  signal: AbortSignal,
  { fetch }: EgressClient,
  redact: EgressCaller['redact'],
): AdapterContext {
  const { row, mounted, credentials } = connection
  const { adapter } = mounted
  const log = context.log.child({ adapter: adapter.slug, connection: row.id })
  return {
    storeId: row.storeId,
    connectionId: row.id,
    credentials: valuesOf(adapter.credentials, credentials),
    settings: valuesOf(adapter.settings, row.settings),
    fetch,
    storage: storageOf(context.egress.sql, row.id),
    // Secrets of the connection are removed from everything that an adapter logs.
    log: (message, fields = {}) => log.info(redact(`${message} ${JSON.stringify(fields)}`)),
    now: Date.now,
    signal,
  }
}

/** Returns the values of fields, with defaults. They were checked when they were entered. */
const valuesOf = (fields: Fields, typed: Readonly<Record<string, unknown>>) => withDefaults(fields, typed) as Values<Fields>

const secretsOf = ({ mounted, credentials }: Connection) =>
  Object.entries(mounted.adapter.credentials).flatMap(([name, { secret }]) =>
    secret && credentials[name] ? [String(credentials[name])] : [],
  )
