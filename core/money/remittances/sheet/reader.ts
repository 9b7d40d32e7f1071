import { ApiError, type Detail, type ErrorCode } from '../../../http/errors/errors.ts'
import { unreadable } from '../../../http/table/refusals.ts'
import { workerQueue } from '../../../lib/async/worker-queue.ts'
import type { Upload } from '../upload.ts'
import type { Sheet, SheetOptions } from './read-sheet.ts'

/** A form with a sheet, to be read: its bytes and content type, and what is known of such sheets. */
export interface Job {
  readonly bytes: Uint8Array
  readonly type: string
  readonly options: SheetOptions
}

export interface Uploaded {
  readonly upload: Upload
  readonly sheet: Sheet
}

/** A refusal as it comes from the worker: an error's class would not. */
export interface Refusal {
  readonly code: ErrorCode
  readonly message: string
  readonly details: readonly Detail[] | undefined
}

const JOB_MS = 10_000
const JOBS_MAX = 20
/** Of one store. */
const OWN_MAX = 8

/**
 * Reads forms with sheets beside the event loop, one at a time, of each store in turn; otherwise as `readForm` and `readSheet`. Throws
 * `sheet_unreadable` for a file that takes longer than `jobMs` milliseconds, and `unavailable` where too many wait. The bytes are gone after it.
 */
export function sheetReader({ jobMs = JOB_MS, jobsMax = JOBS_MAX, ownMax = OWN_MAX } = {}) {
  const ask = workerQueue<Job, Uploaded | Refusal>(new URL('./reader.worker.ts', import.meta.url), {
    jobMs,
    jobsMax,
    ownMax,
    // Payouts come seldom, and a worker is there in a few milliseconds: none is kept.
    idleMs: 0,
    handedOver: ({ bytes }) => [bytes.buffer as ArrayBuffer],
    tooLong: () => unreadable('The sheet takes too long to read. Save only its columns and rows of parcels as CSV, or split the payout.'),
    tooMany: () =>
      new ApiError('unavailable', 'Too many sheets are being read. Try again in a few seconds.', { headers: { 'retry-after': '5' } }),
  })
  return async (job: Job, storeId = ''): Promise<Uploaded> => {
    const answer = await ask(job, storeId)
    if ('code' in answer) throw new ApiError(answer.code, answer.message, answer.details && { details: answer.details })
    return answer
  }
}

/** The reader of this process. */
export const readBeside = sheetReader()
