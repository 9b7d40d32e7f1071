import { parseArgs } from 'node:util'
import { progress } from './progress.ts'
import { startReceiver } from './receiver.ts'
import { report } from './report.ts'
import { run } from './run.ts'
import { type Server, startServer } from './server.ts'
import type { Shop } from './shop.ts'

const { values } = parseArgs({ options: { once: { type: 'boolean', default: false } } })
const receiver = startReceiver()
const steps = progress()
const starting = steps.step('Start the database and the server', async (say) => {
  const server = await startServer(process.env)
  say(`${server.origin}, data in ${server.dataDir}`)
  return server
})

let closing: Promise<void> | undefined
async function close() {
  const server = await starting.catch(() => undefined)
  await server?.stop()
  await receiver.stop()
}

/** Stops everything once; the first caller decides on the exit code. */
async function leave(code: number): Promise<never> {
  if (!closing) closing = close().finally(() => process.exit(code))
  await closing
  return new Promise(() => {})
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    console.log('\nStopping …')
    void leave(values.once || !isUp ? 130 : 0)
  })
}

let isUp = false
try {
  const server = await starting
  const { shop, results } = await run(server, receiver, steps)
  console.log(report(results))
  const wrong = results.checks.filter(({ isSo }) => !isSo)
  console.log(wrong.length === 0 ? '\nAll checks passed.' : `\nThese checks failed:\n${wrong.map(({ name }) => `  ✗ ${name}`).join('\n')}`)
  if (values.once) await leave(wrong.length === 0 ? 0 : 1)
  isUp = true
  console.log(directions(server, shop, await server.consoleLink(shop.owner.email)))
} catch (error) {
  if (closing) await leave(1)
  console.error(`\nThe demo failed: ${error instanceof Error ? error.message : error}`)
  await leave(1)
}

function directions({ origin }: Server, { storeId, owner, key }: Shop, consoleLink: string): string {
  return `
The server keeps running. Open the console, already signed in, and look around:

  Console          ${consoleLink}
  Reference page   ${origin}/openapi
  Store            ${storeId}
  E-mail           ${owner.email}
  Password         ${owner.password}
  Session token    ${owner.token}
  API key          ${key}

  curl -H 'Authorization: Bearer ${key}' '${origin}/v1/parcels?limit=3'

Press Ctrl-C to stop it.`
}
