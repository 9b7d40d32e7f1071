import { workerQueue } from '../../../lib/async/worker-queue.ts'
import type { LabelContents, PaperSize } from '../label.model.ts'
import { labelErrors } from '../labels.errors.ts'
import type { BindResult } from './bind-pdfs.ts'

/** Parts of one document: carrier files and our own labels. */
export interface PrintJob {
  readonly parts: readonly ({ readonly pdf: Uint8Array } | { readonly labels: readonly LabelContents[] })[]
  readonly paper: PaperSize
}

/** Files of one document, in order. */
export interface BindJob {
  readonly files: readonly Uint8Array[]
  readonly paper: PaperSize
}

/** Number of labels that are drawn in one job. Another project's label waits for no more than these. */
const SLICE_LABELS = 20

const limits = {
  jobTimeoutMs: 20_000,
  /** Leaves room for eight projects that print at their maximum. */
  maxJobs: 32,
  maxJobsPerOwner: 4,
  idleTimeoutMs: 60_000,
  timeoutError: () => labelErrors.printingTimedOut({ retryAfterSeconds: 5 }),
  overloadError: () => labelErrors.printerBusy({ retryAfterSeconds: 5 }),
} as const

const drawSlice = workerQueue<readonly LabelContents[], Uint8Array>(new URL('./draw-labels.worker.ts', import.meta.url), limits)
const bindFiles = workerQueue<BindJob, BindResult>(new URL('./bind-pdfs.worker.ts', import.meta.url), limits)

/**
 * Prints a document in workers, round robin by project; the owner is the project's id. Large documents are drawn in slices, so that projects
 * alternate. Ends a job that runs too long or whose caller left. Throws `unavailable` for a slow job, and when too many jobs wait.
 */
export async function printDocument({ parts, paper }: PrintJob, owner: string, signal?: AbortSignal): Promise<BindResult> {
  const files: Uint8Array[] = []
  for (const part of parts) {
    if ('pdf' in part) files.push(part.pdf)
    else for (const slice of slicesOf(part.labels)) files.push(await drawSlice(slice, owner, signal))
  }
  const [only, ...others] = files
  const isFinished = paper === 'a6' && only && others.length === 0 && parts.every((part) => 'labels' in part)
  return isFinished ? { pdf: only } : bindFiles({ files, paper }, owner, signal)
}

const slicesOf = (labels: readonly LabelContents[]) =>
  Array.from({ length: Math.ceil(labels.length / SLICE_LABELS) }, (_, at) => labels.slice(at * SLICE_LABELS, (at + 1) * SLICE_LABELS))
