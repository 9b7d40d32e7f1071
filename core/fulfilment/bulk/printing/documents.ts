import type { Context } from '../../../context.ts'
import { transaction } from '../../../data/sql.ts'
import type { PaperSize } from '../../../logistics/labels/label.model.ts'
import { printDocument } from '../../../logistics/labels/rendering/print-queue.ts'
import { bulkErrors } from '../bulk.errors.ts'
import type { JobKey, JobRow } from '../jobs.queries.ts'
import { findDocument, listParts, replaceParts } from './documents.queries.ts'

/** Maximum size of the labels of one document. */
export const DOCUMENT_BYTES_MAX = 20 * 1024 * 1024

/** Joins the parts of a job's document. Does nothing without parts, as after a repeated step. */
export async function completeDocument(context: Context, key: JobKey, paper: PaperSize, signal: AbortSignal | undefined): Promise<void> {
  const parts = await listParts(context.sql, key)
  if (parts.length === 0) return
  const document = await printDocument({ parts: parts.map(({ pdf }) => ({ pdf })), paper }, key.projectId, signal)
  if ('broken' in document) throw new Error('A part of a document could not be read again.')
  await transaction(context.sql, (tx) => replaceParts(tx, key, document.pdf))
}

/** Reads the document of a job. Throws `conflict` while it is printed, and `not_found` when there is none. */
export async function readDocument(context: Context, job: JobRow): Promise<Uint8Array> {
  const pdf = await findDocument(context.sql, job)
  if (pdf) return pdf
  throw job.status === 'waiting' || job.status === 'processing' ? bulkErrors.stillPrinting() : bulkErrors.documentMissing()
}
