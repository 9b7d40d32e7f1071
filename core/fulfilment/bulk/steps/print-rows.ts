import type { PrintedLabel } from '../../../../plugins/carrier/segments.model.ts'
import { transaction } from '../../../data/sql.ts'
import { openConnection } from '../../../integrations/connections/connection.ts'
import { findConnection } from '../../../integrations/connections/connections.queries.ts'
import { DomainError, notFound } from '../../../lib/errors/domain-error.ts'
import { printLabels } from '../../../logistics/labels/print.ts'
import { bulkErrors } from '../bulk.errors.ts'
import { findPartBytes, upsertPart } from '../printing/documents.queries.ts'
import { DOCUMENT_BYTES_MAX } from '../printing/documents.ts'
import { findLabelledParcels, type JobRowResult, type LabelledParcel, updateJobRow, type WaitingRow } from '../rows.queries.ts'
import type { JobRun } from './job-run.ts'
import { failureOf, refusedWith } from './row-failure.ts'

/** Order to print, with the tracking numbers of its parcels. */
interface PrintableRow extends WaitingRow {
  readonly parcels: readonly LabelledParcel[]
}

/** Prints the labels of orders of a job into parts of its document, carrier by carrier. */
export async function printRows(run: JobRun, rows: readonly WaitingRow[]): Promise<void> {
  const { context, job, store } = run
  const ids = rows.map(({ orderId }) => orderId)
  const byOrder = Map.groupBy(await findLabelledParcels(context.sql, store.projectId, ids), ({ orderId }) => orderId)
  const printable = rows.map((row) => ({ ...row, parcels: byOrder.get(row.orderId) ?? [] }))
  for (const { row } of printable.filter(({ parcels }) => parcels.length === 0))
    await updateJobRow(context.sql, job, row, refusedWith(bulkErrors.parcelMissing()))
  const groups = Map.groupBy(
    printable.filter(({ parcels }) => parcels.length > 0),
    ({ parcels }) => parcels[0]?.carrierAccountId ?? '',
  )
  for (const [connectionId, group] of groups) await printGroup(run, connectionId, group)
}

/** Errors that name single labels: the others are printed without those. */
const LABEL_ERRORS: readonly string[] = ['not_found', 'carrier_error']

/**
 * Prints the labels of one carrier and stores them with the results of their orders. When some labels fail, halves the group until those are
 * alone.
 */
async function printGroup(run: JobRun, connectionId: string, rows: readonly PrintableRow[]): Promise<void> {
  const { context, job, signal } = run
  try {
    const labels = await printOf(run, connectionId, rows)
    await storePart(run, rows, labels)
  } catch (error) {
    signal?.throwIfAborted()
    if (rows.length > 1 && error instanceof DomainError && LABEL_ERRORS.includes(error.code)) {
      const half = Math.ceil(rows.length / 2)
      await printGroup(run, connectionId, rows.slice(0, half))
      return printGroup(run, connectionId, rows.slice(half))
    }
    for (const { row, orderId } of rows) await updateJobRow(context.sql, job, row, failureOf(context, error, orderId))
  }
}

async function printOf({ context, job, signal }: JobRun, connectionId: string, rows: readonly PrintableRow[]): Promise<PrintedLabel[]> {
  const row = await findConnection(context.sql, { projectId: job.projectId, id: connectionId })
  if (!row) throw notFound('The connection to the carrier')
  const trackings = rows.flatMap(({ parcels }) => parcels.map(({ trackingId }) => trackingId))
  const own = job.action.type === 'print' && job.action.own === true
  // Sheets are made of the whole document, so that only its last one has room left.
  return printLabels(context, openConnection(context, 'carrier', row), trackings, { paper: 'a6', own, ...(signal && { signal }) })
}

/** Stores the labels of a group as a part of the document, together with the results of its orders. */
async function storePart({ context, job }: JobRun, rows: readonly PrintableRow[], labels: readonly PrintedLabel[]): Promise<void> {
  const document = labels.find(({ notMerged, base64 }) => notMerged === undefined && base64 !== undefined)
  const pdf = Buffer.from(document?.base64 ?? '', 'base64')
  const apart = new Map(
    labels.filter((label) => label !== document).flatMap((label) => trackingsOf(label).map((tracking) => [tracking, label])),
  )
  const resultOf = ({ parcels }: PrintableRow): JobRowResult => {
    const missing = parcels.map(({ trackingId }) => apart.get(trackingId)).find((label) => label !== undefined)
    const parcelId = parcels.at(-1)?.id ?? null
    if (!missing) return { status: 'done', parcelId }
    const reason = missing.notMerged ?? `it has the type ${missing.contentType}.`
    return { ...refusedWith(bulkErrors.labelElsewhere({ reason })), parcelId }
  }
  await transaction(context.sql, async (tx) => {
    const before = await findPartBytes(tx, job)
    if (before + pdf.length > DOCUMENT_BYTES_MAX) throw bulkErrors.documentTooLarge()
    let isNew = false
    for (const row of rows) isNew = (await updateJobRow(tx, job, row.row, resultOf(row))).count > 0 || isNew
    // Another process may have printed them meanwhile.
    if (isNew && pdf.length > 0) await upsertPart(tx, job, rows[0]?.row ?? 0, pdf)
  })
}

const trackingsOf = ({ trackingId, trackingIds }: PrintedLabel) => trackingIds ?? (trackingId === undefined ? [] : [trackingId])
