import { serveWorkerJobs } from '../../../lib/async/worker-queue.ts'
import type { LabelContents } from '../label.model.ts'
import { drawLabels } from './layout.ts'

serveWorkerJobs<readonly LabelContents[], Uint8Array>(drawLabels)
