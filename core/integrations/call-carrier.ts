import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Carrier, CarrierContext, FetchInit, Memory } from '../../plugins/carrier/contract.ts'
import { withDefaults } from '../../plugins/fields.ts'
import type { Mounted } from '../../plugins/host/registry.ts'
import { limits } from '../config.ts'
import type { Context } from '../context.ts'
import { ApiError } from '../http/errors.ts'
import { OutboundError } from '../lib/outbound.ts'
import { type AccountRow, findAccount, memoryAdd, memoryDelete, memoryGet, memoryList, memorySet } from './integrations.queries.ts'

/** A connected carrier with its secrets opened, for the length of a call. */
export interface Account {
  readonly row: AccountRow
  readonly mounted: Mounted
  readonly credentials: Readonly<Record<string, unknown>>
}

/** Why a carrier did not do it. `sent`: the carrier may have acted all the same. */
export class CarrierFailure extends Error {
  override readonly name = 'CarrierFailure'
  constructor(
    readonly reason: 'refused' | 'unauthorized' | 'rate_limited' | 'not_found' | 'unavailable' | 'timeout',
    readonly sent: boolean,
    message: string,
    readonly upstream: { code?: string; message?: string; retryAfterSeconds?: number } = {},
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

const MEMORY_BYTES_MAX = 64 * 1024
const ANSWER_BYTES_MAX = 20 * 1024 * 1024
/** Waiting longer for a rate window is left to the job that asks again. */
const WINDOW_WAIT_MS = 3_000

export function openAccount({ vault, plugins }: Context, row: AccountRow): Account {
  const mounted = plugins.find(row.key)
  if (!mounted) throw new ApiError('carrier_not_enabled', `The adapter ${row.key} is not there now. See GET /v1/adapters.`)
  return { row, mounted, credentials: JSON.parse(vault.open(row.credentials, row.id)) as Record<string, unknown> }
}

export async function accountById(context: Context, id: string): Promise<Account> {
  const row = await findAccount(context.sql, id)
  if (!row?.enabled) throw new ApiError('carrier_not_enabled', 'The carrier account is gone or switched off.')
  return openAccount(context, row)
}

/** Calls an adapter with a deadline. What it gives is checked by `schema`: a wrong shape is the carrier's failure, never our bad answer. */
export async function callCarrier<V>(
  context: Context,
  account: Account,
  work: (carrier: Carrier, adapterContext: CarrierContext) => V | Promise<V>,
  options: { deadlineMs?: number; schema?: TSchema; signal?: AbortSignal } = {},
): Promise<V> {
  const deadline = AbortSignal.timeout(options.deadlineMs ?? limits.carrierCallMs)
  const signal = options.signal ? AbortSignal.any([deadline, options.signal]) : deadline
  const trace = { sent: false }
  try {
    const answer = await untilAborted(Promise.resolve(work(account.mounted.carrier, contextOf(context, account, signal, trace))), signal)
    if (options.schema && !Value.Check(options.schema, answer)) {
      const [first] = [...Value.Errors(options.schema, answer)]
      throw new CarrierFailure('unavailable', true, `The adapter answered in a wrong shape (${first?.path || '/'}: ${first?.message}).`)
    }
    return answer
  } catch (error) {
    const failure = asFailure(error, account, trace.sent, signal)
    context.log.debug({ err: failure, carrier: account.row.key }, 'a call of a carrier failed')
    throw failure
  }
}

/** An adapter that never answers does not hold anybody up. In-process work has no carrier of its own to ask: it counts as sent. */
function untilAborted<V>(work: Promise<V>, signal: AbortSignal): Promise<V> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new CarrierFailure('timeout', true, 'The carrier did not answer in time.'))
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

interface Thrown {
  readonly name?: string
  readonly message?: string
  readonly reason?: CarrierFailure['reason']
  readonly upstream?: CarrierFailure['upstream']
}

/** Told by name, not by class: an adapter from elsewhere brings a class of its own. */
function asFailure(error: unknown, { mounted }: Account, sent: boolean, signal: AbortSignal): CarrierFailure {
  if (error instanceof CarrierFailure) return error
  const { name, message = '', reason, upstream } = (error ?? {}) as Thrown
  if (name === 'CarrierError' && reason)
    return new CarrierFailure(reason, reason === 'unavailable' && sent, message, upstream ?? {}, { cause: error })
  if (signal.aborted) return new CarrierFailure('timeout', sent, `${mounted.carrier.label} did not answer in time.`, {}, { cause: error })
  return new CarrierFailure(
    'unavailable',
    sent,
    `${mounted.carrier.label} could not be asked, or its answer could not be read.`,
    {},
    { cause: error },
  )
}

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

function contextOf(context: Context, account: Account, signal: AbortSignal, trace: { sent: boolean }): CarrierContext {
  const { row, mounted, credentials } = account
  const { carrier } = mounted
  const log = context.log.child({ carrier: carrier.slug, connection: row.id })
  const fetch = async (url: string, init: FetchInit = {}): Promise<Response> => {
    await takeTurn(context, account, signal)
    const { method = 'GET', headers = {}, body, followRedirects = false, timeoutMs } = init
    const wasSent = trace.sent
    // Counted as sent before it is: a crash of the connection in between must not look like a refusal to connect.
    if (method !== 'GET') trace.sent = true
    try {
      const answer = await context.outbound({
        url,
        method,
        headers,
        ...(body !== undefined && { body }),
        followRedirects,
        ...(timeoutMs !== undefined && { timeoutMs }),
        allowedHosts: carrier.net,
        maxBytes: ANSWER_BYTES_MAX,
        signal,
      })
      const bodiless = answer.status === 204 || answer.status === 304
      return new Response(bodiless ? null : (answer.body as Uint8Array<ArrayBuffer>), { status: answer.status, headers: answer.headers })
    } catch (error) {
      if (error instanceof OutboundError && !error.sent) trace.sent = wasSent
      throw error
    }
  }
  return {
    storeId: row.storeId,
    connectionId: row.id,
    credentials: withDefaults(carrier.credentials, credentials) as never,
    settings: withDefaults(carrier.settings, row.settings) as never,
    fetch,
    memory: memoryOf(context, row.id),
    log: (message, fields = {}) => log.info(redact(`${message} ${JSON.stringify(fields)}`, account)),
    now: Date.now,
    signal,
  }
}

/** No secret of the connection reaches the log, whatever an adapter writes into it. */
function redact(text: string, { mounted, credentials }: Account): string {
  const secrets = Object.entries(mounted.carrier.credentials).flatMap(([name, { secret }]) =>
    secret && credentials[name] ? [String(credentials[name])] : [],
  )
  return secrets.reduce((clean, secret) => clean.replaceAll(secret, '••••'), text)
}

/** The account's windows, shared by all processes. A short wait is waited out; a long one is a `rate_limited`. */
async function takeTurn({ shared }: Context, { row, mounted }: Account, signal: AbortSignal) {
  // The longest first: a call that it refuses has used up no place in the others.
  for (const { calls, seconds } of mounted.carrier.rateWindows.toSorted((a, b) => b.seconds - a.seconds)) {
    for (;;) {
      const { count, resetMs } = await shared.hit(`carrier:${row.id}:${seconds}`, seconds * 1000)
      if (count <= calls) break
      if (resetMs > WINDOW_WAIT_MS)
        throw new CarrierFailure('rate_limited', false, `The carrier's quota of ${calls} calls in ${seconds} s is used up.`, {
          retryAfterSeconds: resetMs / 1000,
        })
      await Bun.sleep(resetMs + Math.random() * 50)
      signal.throwIfAborted()
    }
  }
}

function memoryOf({ sql }: Context, connectionId: string): Memory {
  const checked = (value: unknown) => {
    if (JSON.stringify(value ?? null).length > MEMORY_BYTES_MAX)
      throw new RangeError(`A value in memory may have at most ${MEMORY_BYTES_MAX} bytes.`)
    return value ?? null
  }
  return {
    get: (key) => memoryGet(sql, connectionId, key),
    set: async (key, value) => void (await memorySet(sql, connectionId, key, checked(value))),
    add: (key, value) => memoryAdd(sql, connectionId, key, checked(value)),
    delete: async (key) => void (await memoryDelete(sql, connectionId, key)),
    list: async (prefix, { after = '', limit = 100 } = {}) => [
      ...(await memoryList(sql, connectionId, prefix, after, Math.min(limit, 1000))),
    ],
  }
}
