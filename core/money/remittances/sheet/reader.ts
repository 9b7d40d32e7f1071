import { unreadableSheet } from '../../../http/table/sheet-errors.ts'
import { workerQueue } from '../../../lib/async/worker-queue.ts'
import { relayError } from '../../../lib/errors/domain-error.ts'
import { importErrors } from '../../../shop/imports/imports.errors.ts'
import type { SheetUpload } from '../import/upload.ts'
import type { InspectedSheet } from './inspect-sheet.ts'
import type { ParsedSheet, SheetOptions } from './read-sheet.ts'
import type { SheetRefusal } from './refusal.ts'

/** Request to the worker: bytes and content type of a form with a sheet, and how to read the sheet. */
export interface SheetJob {
  readonly bytes: Uint8Array
  readonly type: string
  readonly options: SheetOptions
  /** True to look at the sheet only, also at one that cannot be imported. */
  readonly isInspection?: boolean
}

/** Parsed upload: the form's fields and the sheet. */
export interface ParsedUpload {
  readonly upload: SheetUpload
  readonly sheet: ParsedSheet
}

/** Upload that was looked at: the form's fields and the sheet, as far as it can be read. */
export interface InspectedUpload {
  readonly upload: SheetUpload
  readonly inspected: InspectedSheet
}

/** Answer of the worker. */
export type SheetAnswer = ParsedUpload | InspectedUpload | SheetRefusal

const JOB_MS = 10_000
const JOBS_MAX = 20
/** Maximum number of waiting jobs of one store. */
const OWN_MAX = 8

/**
 * Creates a reader that parses uploaded sheets in a worker thread, one at a time, alternating between stores. Throws as `parseUploadForm`
 * and `readSheet` do, `sheet_unreadable` after `jobMs` milliseconds, and `unavailable` when too many wait. Transfers the bytes, so that the
 * caller can no longer use them.
 */
export function sheetReader({ jobMs = JOB_MS, jobsMax = JOBS_MAX, ownMax = OWN_MAX } = {}) {
  const runJob = workerQueue<SheetJob, SheetAnswer>(new URL('./reader.worker.ts', import.meta.url), {
    jobTimeoutMs: jobMs,
    maxJobs: jobsMax,
    maxJobsPerOwner: ownMax,
    // Uploads are rare and a worker starts within milliseconds, so no idle worker is retained.
    idleTimeoutMs: 0,
    transferablesOf: ({ bytes }) => [bytes.buffer as ArrayBuffer],
    timeoutError: () =>
      unreadableSheet('The sheet takes too long to read. Save only its columns and rows of parcels as CSV, or split the payout.'),
    overloadError: () => importErrors.tooManySheets({ retryAfterSeconds: 5 }),
  })
  const answerOf = async (job: SheetJob, storeId: string) => {
    const answer = await runJob(job, storeId)
    if ('code' in answer) throw relayError(answer.code, answer.message, { issues: answer.issues })
    return answer
  }
  return {
    /** Parses the form and its sheet. */
    read: async (job: SheetJob, storeId = '') => (await answerOf(job, storeId)) as ParsedUpload,
    /** Parses the form, and its sheet as far as possible. */
    inspect: async (job: SheetJob, storeId = '') => (await answerOf({ ...job, isInspection: true }, storeId)) as InspectedUpload,
  }
}

/** Shared sheet reader of this process. */
export const sheets = sheetReader()
