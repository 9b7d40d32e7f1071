import { readConfig } from '../../core/config.ts'
import type { Connection } from '../../core/data/sql.ts'
import { serve } from '../../core/serve.ts'

/** Starts a server on the given database, asks it for its health, and prints the files of all modules that it has loaded. */
const connection = JSON.parse(process.argv[2] ?? '') as Connection
const running = await serve(readConfig({ DATA_DIR: process.argv[3], LOG_LEVEL: 'fatal', PORT: '0' }), { socket: true, connection })
const health = await fetch(new URL('/health/check', running.listening?.url))
console.log(JSON.stringify({ isHealthy: health.ok, files: Object.keys(require.cache) }))
await running.stop()
process.exit(0)
