import { readBytes } from '../../http/body/body.ts'
import { requireFormType } from '../../http/body/form.ts'
import { workerQueue } from '../../lib/async/worker-queue.ts'
import { yieldEvery } from '../../lib/async/yield-every.ts'
import type { ErrorCode } from '../../lib/errors/codes.ts'
import type { FieldIssue } from '../../lib/errors/domain-error.ts'
import { relayError } from '../../lib/errors/domain-error.ts'
import { importErrors } from './imports.errors.ts'
import type { ParsedSheet, SheetRow } from './parse-sheet.ts'
import type { SheetForm } from './sheet-form.ts'

/** Size of a sheet file in bytes. */
export const FILE_MAX = 10 * 1024 * 1024
const FORM_MAX = FILE_MAX + 64 * 1024

/** Job of the worker: the bytes of a multipart form and the columns of the sheet in it. */
export interface ReadJob {
  readonly bytes: Uint8Array
  readonly type: string
  readonly form: SheetForm
}
/** Uploaded sheet with its rows. */
export interface UploadedSheet extends ParsedSheet {
  /** SHA-256 of the file. */
  readonly hash: string
}
/** Sheet as the worker sends it: rows as JSON texts of some rows each, so that the event loop can run other work between them. */
export interface WorkerSheet extends Omit<UploadedSheet, 'rows'> {
  readonly parts: readonly string[]
}
/** Error of the worker as data, since an error's class does not survive the message. */
export interface WorkerRefusal {
  readonly code: ErrorCode
  readonly message: string
  readonly issues: readonly FieldIssue[]
}

const readInWorker = workerQueue<ReadJob, WorkerSheet | WorkerRefusal>(new URL('./reader.worker.ts', import.meta.url), {
  jobTimeoutMs: 15_000,
  maxJobs: 10,
  maxJobsPerOwner: 3,
  idleTimeoutMs: 0,
  transferablesOf: ({ bytes }) => [bytes.buffer as ArrayBuffer],
  timeoutError: () => importErrors.sheetTooSlow(),
  overloadError: () => importErrors.tooManySheets({ retryAfterSeconds: 5 }),
})

/**
 * Reads the sheet in an uploaded form, in a worker beside the event loop; stores alternate. Throws `unsupported_media_type`,
 * `payload_too_large`, `invalid_request`, `sheet_unreadable`, `sheet_columns_unknown`, `unavailable`.
 */
export async function readSheetUpload(request: Request, storeId: string, form: SheetForm): Promise<UploadedSheet> {
  const type = requireFormType(request)
  const answer = await readInWorker({ bytes: await readBytes(request, FORM_MAX), type, form }, storeId)
  if ('code' in answer) throw relayError(answer.code, answer.message, { issues: answer.issues })
  const { parts, ...sheet } = answer
  const rows: SheetRow[] = []
  const breathe = yieldEvery()
  for (const part of parts) {
    rows.push(...(JSON.parse(part) as SheetRow[]))
    await breathe()
  }
  return { ...sheet, rows }
}
