import { stringify } from 'yaml'
import { serveWorkerJobs } from '../../lib/async/worker-queue.ts'

// Converts JSON text to YAML text. For a description of hundreds of routes this takes a third of a second.
serveWorkerJobs<string, string>(async (json) => stringify(JSON.parse(json), { aliasDuplicateObjects: false }))
