import type { TSchema } from '@sinclair/typebox'
import { type AdapterContext, AdapterError, adapterErrorNames } from '../../../../plugins/adapter.ts'
import { type Fields, type Values, withDefaults } from '../../../../plugins/fields.ts'
import { fit } from '../../../../plugins/fit.ts'
import type { AnyMountedAdapter } from '../../../../plugins/host/registry.ts'
import type { Context } from '../../../context.ts'
import { PLATFORM_PROJECT_ID } from '../../../data/project-ids.ts'
import { AdapterFailure, type FailureReason } from '../../egress/adapter-failure.ts'
import { createEgressClient } from '../../egress/egress-client.ts'
import { toDomainError } from './adapter-failures.ts'

interface Options {
  /** Hosts that it may reach. */
  readonly hosts: readonly string[]
  readonly deadlineMs: number
  readonly schema: TSchema
  /** Chosen settings, already checked against the fields. */
  readonly settings?: Readonly<Record<string, unknown>>
}

const rejectStorage = () => Promise.reject(new AdapterError('refused', 'There is no connection, so there is no storage.'))
const storage = {
  get: rejectStorage,
  set: rejectStorage,
  add: rejectStorage,
  replace: rejectStorage,
  delete: rejectStorage,
  list: rejectStorage,
}

/**
 * Calls an adapter without a connection: no credentials and no storage, but the same address rules, rate windows and circuit breaker. The
 * windows count per set of hosts. Throws the API errors of the adapter's kind.
 */
export async function callWithoutConnection<V>(
  context: Context,
  mounted: AnyMountedAdapter,
  work: (own: AdapterContext) => V | Promise<V>,
  { hosts, deadlineMs, schema, settings = {} }: Options,
): Promise<V> {
  const { slug, label, rateWindows: windows } = mounted.adapter
  const signal = AbortSignal.timeout(deadlineMs)
  const account = { projectId: PLATFORM_PROJECT_ID, connectionId: `${slug} ${hosts.join(' ')}` }
  const out = createEgressClient(context, { ...account, label, hosts, windows, redact: (text) => text }, signal)
  const own: AdapterContext = {
    storeId: '',
    connectionId: '',
    credentials: {},
    settings: withDefaults(mounted.adapter.settings, settings) as Values<Fields>,
    fetch: out.fetch,
    storage,
    log: (message, fields) => context.log.debug({ adapter: slug, fields }, message),
    now: Date.now,
    signal,
  }
  try {
    const answer = await untilAborted(Promise.resolve(work(own)), signal)
    const fitted = await fit(schema, answer)
    if ('problem' in fitted)
      throw new AdapterFailure('unavailable', `The adapter answered in a wrong shape (${fitted.problem}).`, { wasSent: false })
    return answer
  } catch (error) {
    const failure = out.throttleFailure ?? failureOf(error, label)
    failure.kind = mounted.kind
    throw toDomainError(failure)
  }
}

function failureOf(error: unknown, label: string): AdapterFailure {
  if (error instanceof AdapterFailure) return error
  const { name, message, reason } = (error ?? {}) as { name?: string; message?: string; reason?: FailureReason }
  if (name !== undefined && adapterErrorNames.includes(name) && reason) return new AdapterFailure(reason, message ?? '', { wasSent: false })
  return new AdapterFailure('unavailable', `${label} could not be asked, or its answer could not be read.`, {
    wasSent: false,
    cause: error,
  })
}

function untilAborted<V>(work: Promise<V>, signal: AbortSignal): Promise<V> {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = () => reject(new AdapterFailure('timeout', 'It did not answer in time.', { wasSent: false }))
  signal.addEventListener('abort', stop, { once: true })
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', stop))
}
