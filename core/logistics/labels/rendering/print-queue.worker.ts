import { serveWorkerJobs } from '../../../lib/async/worker-queue.ts'
import { type BindResult, bindPdfs } from './bind-pdfs.ts'
import { drawLabels } from './layout.ts'
import type { PrintJob } from './print-queue.ts'

// Silences the warnings of pdf-lib about carrier files.
console.warn = () => {}

serveWorkerJobs<PrintJob, BindResult>(async ({ parts, paper }) => {
  const files = await Promise.all(parts.map((part) => ('pdf' in part ? part.pdf : drawLabels(part.labels))))
  const [[part, ...others], [pdf]] = [parts, files]
  const isOurs = part !== undefined && 'labels' in part && others.length === 0
  return isOurs && pdf && paper === 'a6' ? { pdf } : bindPdfs(files, paper)
})
