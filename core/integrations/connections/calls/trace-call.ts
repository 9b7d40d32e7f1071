import type { TSchema } from '@sinclair/typebox'
import { adapterErrorNames, HOST_FAILURE } from '../../../../plugins/adapter.ts'
import { sourceLocationOf } from '../../../../plugins/host/source-maps.ts'
import type { Context } from '../../../context.ts'
import type { EgressClient } from '../../egress/egress-client.ts'
import type { QuotaClass } from '../../egress/quota.ts'
import type { Connection } from '../connection.ts'
import { cleanText, type Redact, type Thrown } from './adapter-failures.ts'

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
 * Returns a note for the adapter's author, beyond the public message: the place in the adapter's code, and any unexpected exception. Logs
 * the exception as well.
 */
export function noteForAuthor(context: Context, connection: Connection, operation: string, error: unknown, redact: Redact): string {
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
export function writeTrace(
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
