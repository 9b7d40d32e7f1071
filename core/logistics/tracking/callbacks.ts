import type { StatusReport } from '../../../plugins/carrier/model.ts'
import type { Context } from '../../context.ts'
import { enqueue, type Jobs } from '../../data/jobs.ts'
import { toDomainError } from '../../integrations/connections/calls/adapter-failures.ts'
import { callAdapter } from '../../integrations/connections/calls/call-adapter.ts'
import { type CarrierConnection, openConnection } from '../../integrations/connections/connection.ts'
import { findConnectionById } from '../../integrations/connections/connections.queries.ts'
import { addConnectionCredentials } from '../../integrations/connections/update-connection.ts'
import { webhookUrlOf, webhookUrlWithoutToken } from '../../integrations/connections/webhook-url.ts'
import type { OperationCall } from '../../integrations/operations/operation-registry.ts'
import type { WebhookHandler } from '../../integrations/webhook-intake/webhook-handlers.ts'
import { findReportedParcel, normalizeReport, type RecordingResult, recordReports } from './record-report.ts'
import { hasSubmittingParcels } from './sync.queries.ts'
import { trackBatchSize, trackParcels } from './track-parcels.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'tracking.retryEarlyReports': {
      connectionId: string
      reports: StatusReport[]
      /** Absent in jobs of earlier versions. */
      signed?: boolean
      run: number
    }
  }
}

/** Applies the reports of a carrier's callback. Reads the parcels from the carrier instead if the callback is not signed. */
export const applyCallback: WebhookHandler<'carrier'> = async (context, connection, { events, signed }) => {
  const { unmatched, ...recorded } = await applyReports(context, connection, events, { signed })
  await enqueueEarlyReports(context, connection, unmatched, { signed, run: 0 })
  return recorded
}

const applyReports = (
  context: Context,
  connection: CarrierConnection,
  reports: readonly StatusReport[],
  { signed }: { readonly signed: boolean },
): Promise<RecordingResult> => {
  const apply = signed ? recordReports : reloadFromCarrier
  return apply(context, connection, reports, `webhook:${connection.mounted.carrier.slug}`)
}

/** Handles an unsigned callback, which anybody could have sent: uses it only as a hint, and tracks the parcels at the carrier. */
async function reloadFromCarrier(
  context: Context,
  connection: CarrierConnection,
  reports: readonly StatusReport[],
  source: string,
): Promise<RecordingResult> {
  const ours = new Map<string, { id: string; trackingId: string }>()
  const unmatched: StatusReport[] = []
  for (const report of reports.flatMap(normalizeReport)) {
    const parcel = await findReportedParcel(context.sql, connection, report)
    const trackingId = parcel?.trackingId ?? report.trackingId
    if (parcel && trackingId) ours.set(parcel.id, { id: parcel.id, trackingId })
    else unmatched.push(report)
  }
  const named = [...ours.values()]
  let applied = 0
  for (let at = 0; at < named.length; at += trackBatchSize(connection)) {
    const tracking = trackParcels(context, connection, named.slice(at, at + trackBatchSize(connection)), { source, quota: 'lookUp' })
    applied += (await tracking.catch((error) => Promise.reject(toDomainError(error)))).changed
  }
  return { received: reports.length, applied, unmatched }
}

const EARLY_MAX = 100
const EARLY_FIRST_MS = 1_000
/** Number of retries, the last one eight and a half minutes after the callback; the poller finds what comes later. */
const EARLY_RUNS = 9

/**
 * Enqueues reports of unmatched parcels while a submission is running: its response, which contains the tracking number, may arrive after
 * the callback.
 */
async function enqueueEarlyReports(
  { sql }: Context,
  { row }: CarrierConnection,
  unmatched: readonly StatusReport[],
  { signed, run }: { readonly signed: boolean; readonly run: number },
) {
  if (unmatched.length === 0 || run === EARLY_RUNS || !(await hasSubmittingParcels(sql, row))) return
  const runAt = new Date(Date.now() + EARLY_FIRST_MS * 2 ** run)
  const reports = unmatched.slice(0, EARLY_MAX)
  await enqueue(sql, 'tracking.retryEarlyReports', { connectionId: row.id, reports, signed, run }, { runAt, maxAttempts: 3 })
}

/** Applies reports of an early callback again. Work of the job `tracking.retryEarlyReports`. */
export async function retryEarlyReports(context: Context, { connectionId, reports, run, ...job }: Jobs['tracking.retryEarlyReports']) {
  const row = await findConnectionById(context.sql, connectionId)
  if (!row) return
  const connection = openConnection(context, 'carrier', row)
  const signed = job.signed ?? connection.mounted.carrier.webhook?.unsigned === undefined
  const { unmatched } = await applyReports(context, connection, reports, { signed })
  await enqueueEarlyReports(context, connection, unmatched, { signed, run: run + 1 })
}

/**
 * Registers our callback address at the carrier, and stores the secret that it returns. Returns the names of credentials whose value was
 * replaced, so that the user learns of it.
 */
export async function setupWebhook(context: Context, { adapter: carrier, connection }: OperationCall<'carrier', 'setupWebhook'>) {
  const address = webhookUrlWithoutToken(context, connection)
  const { credentials = {} } = await callAdapter(context, connection, (_, adapter) => carrier.setupWebhook(adapter, address), {
    operation: 'setupWebhook',
  })
  const declared = Object.entries(credentials).flatMap(([name, value]) =>
    Object.hasOwn(carrier.credentials, name) && typeof value === 'string' ? [[name, value] as const] : [],
  )
  const before = connection.credentials as Readonly<Record<string, unknown>>
  const replaced = declared
    .filter(([name, value]) => before[name] !== undefined && before[name] !== '' && before[name] !== value)
    .map(([name]) => name)
  const changed = await addConnectionCredentials(context, connection, Object.fromEntries(declared))
  return { url: webhookUrlOf(context, changed), replaced }
}
