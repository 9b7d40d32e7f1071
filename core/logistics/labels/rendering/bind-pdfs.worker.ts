import { serveWorkerJobs } from '../../../lib/async/worker-queue.ts'
import { type BindResult, bindPdfs } from './bind-pdfs.ts'
import type { BindJob } from './print-queue.ts'

// Silences the warnings of pdf-lib about carrier files.
console.warn = () => {}

serveWorkerJobs<BindJob, BindResult>(({ files, paper }) => bindPdfs(files, paper))
