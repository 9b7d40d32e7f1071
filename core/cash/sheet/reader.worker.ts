import { ApiError } from '../../http/errors.ts'
import { answerJobs } from '../../lib/worker-queue.ts'
import { readSheet, type Sheet } from './read-sheet.ts'
import type { Job, Refusal } from './reader.ts'

answerJobs<Job, Sheet | Refusal>(({ bytes, options }) =>
  readSheet(bytes, options).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error
    return { code: error.code, message: error.message, details: error.extra.details }
  }),
)
