import { ApiError } from '../../../http/errors/errors.ts'
import { answerJobs } from '../../../lib/async/worker-queue.ts'
import { readForm } from '../upload.ts'
import { readSheet } from './read-sheet.ts'
import type { Job, Refusal, Uploaded } from './reader.ts'

async function read({ bytes, type, options }: Job): Promise<Uploaded> {
  const { upload, file } = await readForm(bytes, type)
  return { upload, sheet: await readSheet(file, { ...options, ...(upload.columns && { given: upload.columns }) }) }
}

answerJobs<Job, Uploaded | Refusal>((job) =>
  read(job).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error
    return { code: error.code, message: error.message, details: error.extra.details }
  }),
)
