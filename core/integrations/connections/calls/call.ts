import type { TSchema } from '@sinclair/typebox'
import { type AdapterContext, adapterErrorNames, HOST_FAILURE } from '../../../../plugins/adapter.ts'
import { type Fields, type Values, withDefaults } from '../../../../plugins/fields.ts'
import { fit } from '../../../../plugins/fit.ts'
import type { AnyMounted } from '../../../../plugins/host/registry.ts'
import { placeIn } from '../../../../plugins/host/sources.ts'
import { limits } from '../../../config.ts'
import type { Context } from '../../../context.ts'
import { ApiError } from '../../../http/errors/errors.ts'
import { redactorOf, toStorableText } from '../../../lib/redact.ts'
import { type EgressCaller, type EgressClient, egressClient } from '../../egress/egress-client.ts'
import { AdapterFailure, type FailureReason, NOT_SIGNED_IN } from '../../egress/failure.ts'
import { type QuotaClass, quotaShares } from '../../egress/quota.ts'
import { peekSlot } from '../../egress/slots.ts'
import { type Connection, USUAL_CODES } from '../connection.ts'
import { failed, succeeded } from '../health/attention.ts'
import { accessOf, withoutAccess } from '../oauth-client/access.ts'
import { hostsOf } from './hosts.ts'
import { memoryOf } from './storage.ts'

export { hostsOf }

/** Outcomes of one call that did several things, each for its own parcels. */
export type Traced = readonly { readonly outcome: string; readonly message: string | null; readonly parcelIds: readonly string[] }[]

export interface CallOptions {
  /** What is done, for the trace. */
  readonly operation: string
  /** The parcels that it is done for; the trace is read under each. */
  readonly parcelIds?: readonly string[]
  readonly deadlineMs?: number
  readonly schema?: TSchema
  readonly signal?: AbortSignal
  /** The traces by what was answered; one that says `ok` without it. */
  readonly outcomeOf?: (answer: unknown) => Traced
  /** Class of the call in the account's quota; `write` unless said. */
  readonly quota?: QuotaClass
}

/**
 * Calls an adapter with a deadline. What it gives is checked by `schema`: a wrong shape is the adapter's failure, never our bad answer. Where
 * somebody signed in, it is given an access token that works; one that the other side does not take all the same is renewed, once, and the
 * adapter is asked again.
 */
export async function callAdapter<M extends AnyMounted, V>(
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
  if (options.operation === CALLBACK) return callOnce(context, await withoutAccess(context, connection), work, options, last)
  const access = await accessIn(context, connection, signal, options)
  try {
    return await callOnce(context, access.connection, work, options, { signal, until, isLast: !access.isRenewable })
  } catch (error) {
    if (!access.isRenewable || !(error instanceof AdapterFailure) || error.reason !== 'unauthorized') throw error
    const renewed = await accessIn(context, connection, signal, options, access.version)
    return callOnce(context, renewed.connection, work, options, last)
  }
}

type Work<M extends AnyMounted, V> = (adapter: M['adapter'], adapterContext: AdapterContext) => V | Promise<V>

/** What is told to us is believed and read without asking anybody, whatever has become of a sign-in. */
const CALLBACK = 'webhook'

async function accessIn<C extends Connection>(context: Context, connection: C, signal: AbortSignal, options: CallOptions, not?: number) {
  const began = Date.now()
  try {
    return await untilAborted(accessOf(context, connection, signal, not), signal)
  } catch (error) {
    if (!(error instanceof AdapterFailure)) throw error
    error.kind = connection.mounted.kind
    writeTrace(context, connection, { exchanges: [] }, options, { began, outcome: error.reason, message: error.message })
    throw error
  }
}

interface Attempt {
  readonly signal: AbortSignal
  /** When its time is over, by `performance.now()`. */
  readonly until: number
  /** What the other side does not take now, it does not take. */
  readonly isLast: boolean
}

async function callOnce<M extends AnyMounted, V>(
  context: Context,
  connection: Connection<M>,
  work: Work<M, V>,
  options: CallOptions,
  { signal, until, isLast }: Attempt,
): Promise<V> {
  const redact = redactorOf(secretsOf(connection))
  const out = egressClient(context, { ...travellerOf(context, connection, redact, options), until }, signal)
  const began = Date.now()
  const trace = (outcome: string, message: string | null) => writeTrace(context, connection, out, options, { began, outcome, message })
  try {
    const answer = await untilAborted(
      Promise.resolve(work(connection.mounted.adapter, contextOf(context, connection, signal, out, redact))),
      signal,
    )
    const fitted = options.schema && (await fit(options.schema, answer))
    if (fitted && 'problem' in fitted)
      throw new AdapterFailure('unavailable', true, `The adapter answered in a wrong shape (${fitted.problem}).`)
    const traced = options.outcomeOf?.(answer) ?? [{ outcome: 'ok', message: null, parcelIds: options.parcelIds ?? [] }]
    for (const { outcome, message, parcelIds } of traced)
      writeTrace(context, connection, out, { ...options, parcelIds }, { began, outcome, message: message && tellable(message, redact) })
    if (out.exchanges.length > 0) succeeded(context, connection.row, options.operation)
    return answer
  } catch (error) {
    const failure = asFailure(error, connection, out, signal, redact)
    failure.kind = connection.mounted.kind
    context.log.debug({ err: failure, adapter: connection.row.key }, 'a call of an adapter failed')
    trace(failure.reason, failure.message + toldToAuthor(context, connection, options.operation, error, redact))
    if (isLast && out.exchanges.length > 0) failed(context, connection.row, options.operation, failure)
    throw failure
  }
}

/**
 * What the adapter's author has to know beside what people are told: where in the adapter the other side was found not to answer as it should,
 * and what was thrown that is no answer to anybody. That is logged as well.
 */
function toldToAuthor(context: Context, connection: Connection, operation: string, error: unknown, redact: Redact): string {
  const { name, message, reason, stack } = (error ?? {}) as Thrown
  if (name !== undefined && OURS.includes(name)) return ''
  const place = placeIn(stack)
  const where = place ? ` (${place})` : ''
  if (name !== undefined && adapterErrorNames.includes(name)) return reason === 'unavailable' ? where : ''
  const thrown = tellable(`${name ?? 'Thrown'}: ${message ?? String(error)}${where}`, redact)
  tellOnce(context, connection, operation, thrown)
  return ` ${thrown}`
}

/** What is thrown where the adapter is called, and not by it. */
const OURS: readonly string[] = [HOST_FAILURE, 'OutboundError', 'TimeoutError', 'AbortError']
const TOLD_AGAIN_MS = 10 * 60_000
const TOLD_MAX = 1_000
const told = new Map<string, number>()

/** One cause fails every call of a connection: it is logged once, and again when it lasts. */
function tellOnce({ log }: Context, { row }: Connection, operation: string, thrown: string) {
  const cause = `${row.id} ${thrown}`
  if ((told.get(cause) ?? 0) > Date.now() - TOLD_AGAIN_MS) return
  if (told.size >= TOLD_MAX) told.clear()
  told.set(cause, Date.now())
  log.warn({ adapter: row.key, connection: row.id, operation, thrown }, 'an adapter threw what is no answer')
}

/** What asked nothing of the carrier and is about no parcel tells nobody anything. */
function writeTrace(
  { gateway }: Context,
  { row }: Connection,
  { exchanges }: Pick<EgressClient, 'exchanges'>,
  { operation, parcelIds = [] }: CallOptions,
  { began, outcome, message }: { began: number; outcome: string; message: string | null },
) {
  if (exchanges.length === 0 && parcelIds.length === 0) return
  const at = new Date(began).toISOString()
  gateway.traces.record({
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

/** An adapter that never answers does not hold anybody up. What asks nobody outside counts as sent. */
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

/** "Did not answer" of a carrier that was not even asked is told as what it is; what the adapter knows better stays. */
function asFailure(
  error: unknown,
  connection: Connection,
  { sent, heldBack }: EgressClient,
  signal: AbortSignal,
  redact: Redact,
): AdapterFailure {
  const failure = failureOf(error, connection, sent, signal, redact)
  return failure.reason === 'unavailable' && !sent && heldBack ? heldBack : failure
}

/** Told by name, not by class: an adapter from elsewhere brings a class of its own. */
function failureOf(error: unknown, { mounted }: Connection, sent: boolean, signal: AbortSignal, redact: Redact): AdapterFailure {
  if (error instanceof AdapterFailure) return error
  const { label } = mounted.adapter
  const { name, message = '', reason, upstream } = (error ?? {}) as Thrown
  // A cause is logged: it goes no further where it holds a secret.
  const written = error instanceof Error ? (error.stack ?? message) : String(error)
  const options = redact(written) === written ? { cause: error } : {}
  if (name !== undefined && adapterErrorNames.includes(name) && reason)
    return new AdapterFailure(reason, reason === 'unavailable' && sent, tellable(message, redact), saidBy(upstream, redact), options)
  if (signal.aborted) return new AdapterFailure('timeout', sent, `${label} did not answer in time.`, {}, options)
  return new AdapterFailure('unavailable', sent, `${label} could not be asked, or its answer could not be read.`, {}, options)
}

const MESSAGE_MAX = 1_000

/** What the other side says is shown to people, kept and sent on: without the connection's secrets, and no longer than anybody reads. */
const tellable = (words: string, redact: Redact) => toStorableText(redact(words), MESSAGE_MAX)

const saidBy = ({ code, message, retryAfterSeconds }: AdapterFailure['upstream'] = {}, redact: Redact): AdapterFailure['upstream'] => ({
  ...(code && { code: tellable(code, redact) }),
  ...(message && { message: tellable(message, redact) }),
  ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
})

/** For routes: what the caller of the API learns, in the words of the kind. */
export function asApiError(failure: unknown): unknown {
  if (!(failure instanceof AdapterFailure)) return failure
  const codes = failure.kind?.codes ?? USUAL_CODES
  const { code, message, retryAfterSeconds } = failure.upstream
  const details = code || message ? { details: [{ path: '/upstream', message: [code, message].filter(Boolean).join(': ') }] } : {}
  const extra = { ...details, cause: failure }
  if (code === NOT_SIGNED_IN) return new ApiError('sign_in_needed', failure.message, { cause: failure })
  if (failure.reason === 'refused') return new ApiError(codes.refused, failure.message, extra)
  if (failure.reason === 'not_found') return new ApiError('not_found', failure.message, extra)
  if (failure.reason === 'timeout') return new ApiError('upstream_timeout', failure.message, extra)
  if (failure.reason === 'rate_limited') {
    const wait = String(Math.max(1, Math.ceil(retryAfterSeconds ?? 60)))
    return new ApiError('rate_limited', `It takes no more requests now. Wait ${wait} s.`, {
      ...extra,
      headers: { 'retry-after': wait },
    })
  }
  // A circuit that is open says when the other side is asked again.
  const headers = retryAfterSeconds === undefined ? {} : { headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))) } }
  return new ApiError(codes.failed, failure.message, { ...extra, ...headers })
}

function travellerOf(
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
    parcels: parcelIds?.length ?? 0,
    share: quotaShares[quota],
  }
}

/** Whether a call would get its turn at the other side now: 0, or the milliseconds to wait; with `line`, behind all others who wait. */
export const turnAt = (
  context: Context,
  { row, mounted }: Connection,
  { quota = 'write', line = false }: { quota?: QuotaClass; line?: boolean } = {},
): Promise<number> => peekSlot(context, row.id, mounted.adapter.rateWindows, { share: quotaShares[quota], canReserve: line })

function contextOf(
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
    memory: memoryOf(context.gateway.sql, row.id),
    // No secret of the connection reaches the log, whatever an adapter writes into it.
    log: (message, fields = {}) => log.info(redact(`${message} ${JSON.stringify(fields)}`)),
    now: Date.now,
    signal,
  }
}

/** They were held against the fields when they were typed in. */
const valuesOf = (fields: Fields, typed: Readonly<Record<string, unknown>>) => withDefaults(fields, typed) as Values<Fields>

const secretsOf = ({ mounted, credentials }: Connection) =>
  Object.entries(mounted.adapter.credentials).flatMap(([name, { secret }]) =>
    secret && credentials[name] ? [String(credentials[name])] : [],
  )
