import { ApiError } from '../../../http/errors/errors.ts'
import { workerQueue } from '../../../lib/async/worker-queue.ts'
import type { LabelContents, Paper } from '../label.model.ts'
import type { Bound } from './bind.ts'

/** What becomes one document: files of carriers, and labels of ours. */
export interface Job {
  readonly parts: readonly ({ readonly pdf: Uint8Array } | { readonly labels: readonly LabelContents[] })[]
  readonly paper: Paper
}

/** Jobs of one project at once, so that eight projects print as many as they may before another waits. */
const OWN_MAX = 4

const unavailable = (message: string) => new ApiError('unavailable', message, { headers: { 'retry-after': '5' } })

/**
 * Prints beside the event loop, one job at a time, of each project in turn; the owner is the project's id. A file that keeps the press busy too long stops the press, and nothing else:
 * `unavailable`, as when too many wait of all or of one.
 */
export const press = workerQueue<Job, Bound>(new URL('./press.worker.ts', import.meta.url), {
  jobTimeoutMs: 20_000,
  maxJobs: 32,
  maxJobsPerOwner: OWN_MAX,
  idleTimeoutMs: 60_000,
  timeoutError: () => unavailable('The labels could not be printed in time. Ask for fewer of them at once.'),
  overloadError: () => unavailable('Too many labels are being printed. Try again in a few seconds.'),
})
