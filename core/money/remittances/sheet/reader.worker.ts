import { serveWorkerJobs } from '../../../lib/async/worker-queue.ts'
import { DomainError } from '../../../lib/errors/domain-error.ts'
import { parseUploadForm } from '../upload.ts'
import { readSheet } from './read-sheet.ts'
import type { ParsedUpload, SheetJob, SheetRefusal } from './reader.ts'

async function read({ bytes, type, options }: SheetJob): Promise<ParsedUpload> {
  const { upload, file } = await parseUploadForm(bytes, type)
  return { upload, sheet: await readSheet(file, { ...options, ...(upload.columns && { given: upload.columns }) }) }
}

serveWorkerJobs<SheetJob, ParsedUpload | SheetRefusal>((job) =>
  read(job).catch((error: unknown) => {
    if (!(error instanceof DomainError)) throw error
    return { code: error.code, message: error.message, issues: error.issues }
  }),
)
