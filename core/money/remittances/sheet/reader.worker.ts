import { serveWorkerJobs } from '../../../lib/async/worker-queue.ts'
import { DomainError } from '../../../lib/errors/domain-error.ts'
import { parseUploadForm } from '../import/upload.ts'
import { inspectSheet } from './inspect-sheet.ts'
import { readSheet } from './read-sheet.ts'
import type { SheetAnswer, SheetJob } from './reader.ts'
import { refusalOf } from './refusal.ts'

async function read({ bytes, type, options, isInspection = false }: SheetJob): Promise<SheetAnswer> {
  const { upload, file } = await parseUploadForm(bytes, type)
  const asked = { ...options, ...(upload.columns && { given: upload.columns }) }
  if (isInspection) return { upload, inspected: await inspectSheet(file, asked) }
  return { upload, sheet: await readSheet(file, asked) }
}

serveWorkerJobs<SheetJob, SheetAnswer>((job) =>
  read(job).catch((error: unknown) => {
    if (!(error instanceof DomainError)) throw error
    return refusalOf(error)
  }),
)
