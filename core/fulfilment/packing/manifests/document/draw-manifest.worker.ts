import { serveWorkerJobs } from '../../../../lib/async/worker-queue.ts'
import { drawManifest, type ManifestContents } from './draw-manifest.ts'

serveWorkerJobs<ManifestContents, Uint8Array>(drawManifest)
