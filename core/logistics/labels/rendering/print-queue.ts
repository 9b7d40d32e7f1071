import { ApiError } from '../../../http/errors/errors.ts'
import { workerQueue } from '../../../lib/async/worker-queue.ts'
import type { LabelContents, PaperSize } from '../label.model.ts'
import type { BindResult } from './bind-pdfs.ts'

/** Parts of one document: carrier files and our own labels. */
export interface PrintJob {
  readonly parts: readonly ({ readonly pdf: Uint8Array } | { readonly labels: readonly LabelContents[] })[]
  readonly paper: PaperSize
}

/** Maximum number of concurrent jobs of a project, so that eight projects can print at their maximum. */
const OWN_MAX = 4

const unavailable = (message: string) => new ApiError('unavailable', message, { headers: { 'retry-after': '5' } })

/**
 * Prints a document in a worker, one job at a time, round robin by project; the owner is the project's id. Ends a job that runs too long.
 * Throws `unavailable` for that job, and when too many jobs wait.
 */
export const printDocument = workerQueue<PrintJob, BindResult>(new URL('./print-queue.worker.ts', import.meta.url), {
  jobTimeoutMs: 20_000,
  maxJobs: 32,
  maxJobsPerOwner: OWN_MAX,
  idleTimeoutMs: 60_000,
  timeoutError: () => unavailable('The labels could not be printed in time. Request fewer at once.'),
  overloadError: () => unavailable('Too many labels are being printed. Try again in a few seconds.'),
})
