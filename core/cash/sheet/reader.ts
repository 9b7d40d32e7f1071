import { ApiError, type Detail, type ErrorCode } from '../../http/errors.ts'
import { workerQueue } from '../../lib/worker-queue.ts'
import type { Sheet, SheetOptions } from './read-sheet.ts'
import { unreadable } from './refusals.ts'

/** A sheet to be read: the bytes of the file, and what is known of it. */
export interface Job {
  readonly bytes: Uint8Array
  readonly options: SheetOptions
}

/** A refusal as it comes from the worker: an error's class would not. */
export interface Refusal {
  readonly code: ErrorCode
  readonly message: string
  readonly details: readonly Detail[] | undefined
}

const JOB_MS = 20_000
const JOBS_MAX = 10

/**
 * Reads sheets beside the event loop, one at a time; otherwise as `readSheet`. Throws `sheet_unreadable` for a file that takes longer
 * than `jobMs` milliseconds, and `unavailable` where too many wait.
 */
export function sheetReader({ jobMs = JOB_MS, jobsMax = JOBS_MAX } = {}) {
  const ask = workerQueue<Job, Sheet | Refusal>(new URL('./reader.worker.ts', import.meta.url), {
    jobMs,
    jobsMax,
    // Payouts come seldom, and a worker is there in a few milliseconds: none is kept.
    idleMs: 0,
    tooLong: () => unreadable('The sheet takes too long to read. Save only its columns and rows of parcels as CSV, or split the payout.'),
    tooMany: () =>
      new ApiError('unavailable', 'Too many sheets are being read. Try again in a few seconds.', { headers: { 'retry-after': '5' } }),
  })
  return async (bytes: Uint8Array, options: SheetOptions): Promise<Sheet> => {
    const answer = await ask({ bytes, options })
    if ('code' in answer) throw new ApiError(answer.code, answer.message, answer.details && { details: answer.details })
    return answer
  }
}

/** The reader of this process. */
export const readBeside = sheetReader()
