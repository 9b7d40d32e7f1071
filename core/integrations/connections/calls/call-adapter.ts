import type { AdapterContext } from '../../../../plugins/adapter.ts'
import { type Fields, type Values, withDefaults } from '../../../../plugins/fields.ts'
import { fit } from '../../../../plugins/fit.ts'
import type { AnyMountedAdapter } from '../../../../plugins/host/registry.ts'
import { limits } from '../../../config.ts'
import type { Context } from '../../../context.ts'
import { redactorOf } from '../../../lib/redact.ts'
import { AdapterFailure } from '../../egress/adapter-failure.ts'
import { createEgressClient, type EgressCaller, type EgressClient } from '../../egress/egress-client.ts'
import { type QuotaClass, quotaShares } from '../../egress/quota.ts'
import { peekSlotWait } from '../../egress/slots.ts'
import type { Connection } from '../connection.ts'
import { recordCallFailure, recordCallSuccess } from '../health/attention.ts'
import { acquireAccess, withClientCredentials } from '../oauth-client/access.ts'
import { asFailure, cleanText } from './adapter-failures.ts'
import { hostsOf } from './hosts.ts'
import { storageOf } from './storage.ts'
import { type CallOptions, noteForAuthor, writeTrace } from './trace-call.ts'

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
      throw new AdapterFailure('unavailable', `The adapter answered in a wrong shape (${fitted.problem}).`, { wasSent: true })
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

/** Rejects when the signal aborts, even if the adapter never answers. A call without requests counts as sent. */
function untilAborted<V>(work: Promise<V>, signal: AbortSignal): Promise<V> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new AdapterFailure('timeout', 'It did not answer in time.', { wasSent: true }))
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
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
    projectId: row.projectId,
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
): Promise<number> =>
  peekSlotWait(context, { projectId: row.projectId, connectionId: row.id }, mounted.adapter.rateWindows, {
    share: quotaShares[quota],
    canReserve: line,
  })

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
    storage: storageOf(context.egress.sql, row),
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
