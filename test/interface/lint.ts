import { join } from 'node:path'
import { spawnServer } from '../support/process.ts'
import { removeScratch, scratchFolder } from '../support/scratch.ts'

/** Holds the description of a running server against the recommended rules of an independent linter. Ends with its exit code. */
const ROOT = join(import.meta.dir, '../..')

const server = await spawnServer()
const file = join(await scratchFolder(), 'openapi.json')
await Bun.write(file, await fetch(`${server.url}/openapi.json`))
const lint = Bun.spawn(
  [process.execPath, 'node_modules/@redocly/cli/bin/cli.js', 'lint', file, '--config', 'redocly.yaml', '--format', 'stylish'],
  {
    cwd: ROOT,
    // It would tell its makers of each run.
    env: { ...process.env, REDOCLY_TELEMETRY: 'off' },
    stdout: 'pipe',
    stderr: 'pipe',
  },
)
const [said, complained, code] = await Promise.all([new Response(lint.stdout).text(), new Response(lint.stderr).text(), lint.exited])
if (code !== 0) console.error(complained + said)
await server.stop()
await removeScratch()
process.exit(code)
