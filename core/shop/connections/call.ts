import type { TSchema } from '@sinclair/typebox'
import { adapterErrorNames } from '../../../plugins/adapter.ts'
import type { Carrier, CarrierContext, Memory } from '../../../plugins/carrier/contract.ts'
import { type Fields, type Values, withDefaults } from '../../../plugins/fields.ts'
import { fit } from '../../../plugins/fit.ts'
import type { Mounted } from '../../../plugins/host/registry.ts'
import { placeIn } from '../../../plugins/host/sources.ts'
import { limits } from '../../config.ts'
import type { Context } from '../../context.ts'
import { ApiError } from '../../http/errors.ts'
import { CarrierFailure, type FailureReason } from '../../platform/gateway/failure.ts'
import { redactorOf, storable } from '../../platform/gateway/redact.ts'
import { peekTurn } from '../../platform/gateway/turns.ts'
import { type Traveller, type WayOut, wayOut } from '../../platform/gateway/way-out.ts'
import {
  type ConnectionRow,
  findConnection,
  memoryAdd,
  memoryDelete,
  memoryGet,
  memoryList,
  memoryReplace,
  memorySet,
} from './connections.queries.ts'

/** A connected carrier with its secrets opened, for the length of a call. */
export interface Connection {
  readonly row: ConnectionRow
  readonly mounted: Mounted<'carrier'>
  readonly credentials: Readonly<Record<string, unknown>>
}

const MEMORY_BYTES_MAX = 64 * 1024

export function openConnection({ vault, plugins }: Context, row: ConnectionRow): Connection {
  const mounted = plugins.find('carrier', row.key)
  if (!mounted) throw new ApiError('carrier_not_enabled', `The adapter ${row.key} is not there now. See GET /v1/adapters.`)
  return { row, mounted, credentials: JSON.parse(vault.open(row.credentials, row.id)) as Record<string, unknown> }
}

export async function connectionById(context: Context, id: string): Promise<Connection> {
  const row = await findConnection(context.sql, id)
  if (!row?.enabled) throw new ApiError('carrier_not_enabled', 'The carrier account is gone or switched off.')
  return openConnection(context, row)
}

/** The same for work in the background: null where the account is gone or off, or its adapter is not there, and nothing is to be done. */
export const connectionIfOn = (context: Context, id: string): Promise<Connection | null> =>
  connectionById(context, id).catch((error: unknown) => {
    if (error instanceof ApiError) return null
    throw error
  })

export interface CallOptions {
  /** What is done, for the trace. */
  readonly operation: string
  /** The parcels that it is done for; the trace is read under each. */
  readonly parcelIds?: readonly string[]
  readonly deadlineMs?: number
  readonly schema?: TSchema
  readonly signal?: AbortSignal
  /** The part of the account's rate windows that may be used, 0 to 1. */
  readonly share?: number
}

/** Calls an adapter with a deadline. What it gives is checked by `schema`: a wrong shape is the carrier's failure, never our bad answer. */
export async function callCarrier<V>(
  context: Context,
  connection: Connection,
  work: (carrier: Carrier, adapterContext: CarrierContext) => V | Promise<V>,
  options: CallOptions,
): Promise<V> {
  const deadline = AbortSignal.timeout(options.deadlineMs ?? limits.carrierCallMs)
  const signal = options.signal ? AbortSignal.any([deadline, options.signal]) : deadline
  const redact = redactorOf(secretsOf(connection))
  const out = wayOut(context, travellerOf(context, connection, redact, options), signal)
  const began = Date.now()
  const trace = (outcome: string, message: string | null) => writeTrace(context, connection, out, options, { began, outcome, message })
  try {
    const answer = await untilAborted(
      Promise.resolve(work(connection.mounted.carrier, contextOf(context, connection, signal, out, redact))),
      signal,
    )
    const fitted = options.schema && (await fit(options.schema, answer))
    if (fitted && 'problem' in fitted)
      throw new CarrierFailure('unavailable', true, `The adapter answered in a wrong shape (${fitted.problem}).`)
    trace('ok', null)
    return answer
  } catch (error) {
    const failure = asFailure(error, connection, out, signal, redact)
    context.log.debug({ err: failure, carrier: connection.row.key }, 'a call of a carrier failed')
    trace(failure.reason, failure.message + toldToAuthor(context, connection, options.operation, error, redact))
    throw failure
  }
}

/**
 * What the adapter's author has to know beside what people are told: where in the adapter a carrier was found not to answer as it should,
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
const OURS = ['CarrierFailure', 'OutboundError', 'TimeoutError', 'AbortError']
const TOLD_AGAIN_MS = 10 * 60_000
const TOLD_MAX = 1_000
const told = new Map<string, number>()

/** One cause fails every call of a connection: it is logged once, and again when it lasts. */
function tellOnce({ log }: Context, { row }: Connection, operation: string, thrown: string) {
  const cause = `${row.id} ${thrown}`
  if ((told.get(cause) ?? 0) > Date.now() - TOLD_AGAIN_MS) return
  if (told.size >= TOLD_MAX) told.clear()
  told.set(cause, Date.now())
  log.warn({ carrier: row.key, connection: row.id, operation, thrown }, 'an adapter threw what is no answer')
}

/** What asked nothing of the carrier and is about no parcel tells nobody anything. */
function writeTrace(
  { gateway }: Context,
  { row }: Connection,
  { exchanges }: WayOut,
  { operation, parcelIds = [] }: CallOptions,
  { began, outcome, message }: { began: number; outcome: string; message: string | null },
) {
  if (exchanges.length === 0 && parcelIds.length === 0) return
  const at = new Date(began).toISOString()
  gateway.traces.record({
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

/** An adapter that never answers does not hold anybody up. In-process work has no carrier of its own to ask: it counts as sent. */
function untilAborted<V>(work: Promise<V>, signal: AbortSignal): Promise<V> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new CarrierFailure('timeout', true, 'The carrier did not answer in time.'))
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
  readonly upstream?: CarrierFailure['upstream']
}

type Redact = Traveller['redact']

/** "Did not answer" of a carrier that was not even asked is told as what it is; what the adapter knows better stays. */
function asFailure(
  error: unknown,
  connection: Connection,
  { sent, heldBack }: WayOut,
  signal: AbortSignal,
  redact: Redact,
): CarrierFailure {
  const failure = failureOf(error, connection, sent, signal, redact)
  return failure.reason === 'unavailable' && !sent && heldBack ? heldBack : failure
}

/** Told by name, not by class: an adapter from elsewhere brings a class of its own. */
function failureOf(error: unknown, { mounted }: Connection, sent: boolean, signal: AbortSignal, redact: Redact): CarrierFailure {
  if (error instanceof CarrierFailure) return error
  const { label } = mounted.carrier
  const { name, message = '', reason, upstream } = (error ?? {}) as Thrown
  // A cause is logged: it goes no further where it holds a secret.
  const written = error instanceof Error ? (error.stack ?? message) : String(error)
  const options = redact(written) === written ? { cause: error } : {}
  if (name !== undefined && adapterErrorNames.includes(name) && reason)
    return new CarrierFailure(reason, reason === 'unavailable' && sent, tellable(message, redact), saidBy(upstream, redact), options)
  if (signal.aborted) return new CarrierFailure('timeout', sent, `${label} did not answer in time.`, {}, options)
  return new CarrierFailure('unavailable', sent, `${label} could not be asked, or its answer could not be read.`, {}, options)
}

const MESSAGE_MAX = 1_000

/** What a carrier says is shown to people, kept and sent on: without the connection's secrets, and no longer than anybody reads. */
const tellable = (words: string, redact: Redact) => storable(redact(words), MESSAGE_MAX)

const saidBy = ({ code, message, retryAfterSeconds }: CarrierFailure['upstream'] = {}, redact: Redact): CarrierFailure['upstream'] => ({
  ...(code && { code: tellable(code, redact) }),
  ...(message && { message: tellable(message, redact) }),
  ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
})

/** For routes: what the caller of the API learns. */
export function asApiError(failure: unknown): unknown {
  if (!(failure instanceof CarrierFailure)) return failure
  const { code, message, retryAfterSeconds } = failure.upstream
  const details = code || message ? { details: [{ path: '/upstream', message: [code, message].filter(Boolean).join(': ') }] } : {}
  const extra = { ...details, cause: failure }
  if (failure.reason === 'refused') return new ApiError('carrier_refused', failure.message, extra)
  if (failure.reason === 'not_found') return new ApiError('not_found', failure.message, extra)
  if (failure.reason === 'timeout') return new ApiError('upstream_timeout', failure.message, extra)
  if (failure.reason === 'rate_limited') {
    const wait = String(Math.ceil(retryAfterSeconds ?? 60))
    return new ApiError('rate_limited', `The carrier takes no more requests now. Wait ${wait} s.`, {
      ...extra,
      headers: { 'retry-after': wait },
    })
  }
  return new ApiError('carrier_error', failure.message, extra)
}

/** All that the account's adapter may reach. */
export const hostsOf = ({ config }: Context, { mounted: { carrier } }: Connection): readonly string[] => [
  ...carrier.net,
  ...(config.adapterHosts[carrier.slug] ?? []),
]

function travellerOf(context: Context, connection: Connection, redact: Traveller['redact'], { share, parcelIds }: CallOptions): Traveller {
  const { row, mounted } = connection
  const { carrier } = mounted
  return {
    connectionId: row.id,
    label: carrier.label,
    hosts: hostsOf(context, connection),
    windows: carrier.rateWindows,
    redact,
    parcels: parcelIds?.length ?? 0,
    ...(share !== undefined && { share }),
  }
}

/** Whether a call would get its turn at the carrier's account now: 0, or the milliseconds to wait; with `line`, behind all others who wait. */
export const turnAt = (context: Context, { row, mounted }: Connection, options: { share?: number; line?: boolean } = {}): Promise<number> =>
  peekTurn(context, row.id, mounted.carrier.rateWindows, options)

function contextOf(
  context: Context,
  connection: Connection,
  signal: AbortSignal,
  { fetch }: WayOut,
  redact: Traveller['redact'],
): CarrierContext {
  const { row, mounted, credentials } = connection
  const { carrier } = mounted
  const log = context.log.child({ carrier: carrier.slug, connection: row.id })
  return {
    storeId: row.storeId,
    connectionId: row.id,
    credentials: valuesOf(carrier.credentials, credentials),
    settings: valuesOf(carrier.settings, row.settings),
    fetch,
    memory: memoryOf(context, row.id),
    // No secret of the connection reaches the log, whatever an adapter writes into it.
    log: (message, fields = {}) => log.info(redact(`${message} ${JSON.stringify(fields)}`)),
    now: Date.now,
    signal,
  }
}

/** They were held against the fields when they were typed in. */
const valuesOf = (fields: Fields, typed: Readonly<Record<string, unknown>>) => withDefaults(fields, typed) as Values<Fields>

const secretsOf = ({ mounted, credentials }: Connection) =>
  Object.entries(mounted.carrier.credentials).flatMap(([name, { secret }]) =>
    secret && credentials[name] ? [String(credentials[name])] : [],
  )

function memoryOf({ gateway: { sql } }: Context, connectionId: string): Memory {
  const checked = (value: unknown) => {
    if (JSON.stringify(value ?? null).length > MEMORY_BYTES_MAX)
      throw new RangeError(`A value in memory may have at most ${MEMORY_BYTES_MAX} bytes.`)
    return value ?? null
  }
  return {
    get: (key) => memoryGet(sql, connectionId, key),
    set: async (key, value) => void (await memorySet(sql, connectionId, key, checked(value))),
    add: (key, value) => memoryAdd(sql, connectionId, key, checked(value)),
    replace: (key, expected, value) => memoryReplace(sql, connectionId, key, expected ?? null, checked(value)),
    delete: async (key) => void (await memoryDelete(sql, connectionId, key)),
    list: async (prefix, { after = '', limit = 100 } = {}) => [
      ...(await memoryList(sql, connectionId, prefix, after, Math.min(limit, 1000))),
    ],
  }
}
