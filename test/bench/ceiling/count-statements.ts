import { rm } from 'node:fs/promises'
import { createConnection, createServer, type Server } from 'node:net'
import { dirname, join } from 'node:path'
import { spawnServer } from '../../support/process.ts'
import { median } from '../figures.ts'
import { connectionOf, type World } from '../world.ts'
import type { BenchRequest } from './operations.ts'

/** What one request sends to the database. */
export interface DatabaseTraffic {
  readonly statements: number
  /** Times that the server waited for an answer. */
  readonly roundTrips: number
}

const REQUESTS = 30
const EXECUTE = 'E'.charCodeAt(0)
const QUERY = 'Q'.charCodeAt(0)

/**
 * Counts statements and round trips of a request: the median of thirty, one after the other, so that the background work of the server
 * does not count. They are sent to a second server whose connections to the same database pass through a relay.
 */
export async function findRoundTrips(world: World, requests: readonly BenchRequest[]): Promise<DatabaseTraffic> {
  const counted = { statements: 0, roundTrips: 0 }
  const relay = await openRelay(world, counted)
  const key = await Bun.file(join(world.server.dataDir, 'encryption.key')).text()
  const server = await spawnServer({ DATABASE_URL: relay.url, ENCRYPTION_KEY: key.trim() })
  try {
    const seen: DatabaseTraffic[] = []
    for (let at = 0; at < 2 * REQUESTS; at += 1) {
      const before = { ...counted }
      const { method, path, body } = requests[at % requests.length]!
      const headers = { authorization: `Bearer ${world.shop.key}`, ...(body !== undefined && { 'content-type': 'application/json' }) }
      const answer = await fetch(`${server.url}${path}`, { method, headers, ...(body !== undefined && { body }) })
      await answer.arrayBuffer()
      seen.push({ statements: counted.statements - before.statements, roundTrips: counted.roundTrips - before.roundTrips })
    }
    // The first half prepares statements and fills what is remembered.
    const warm = seen.slice(REQUESTS)
    return { statements: median(warm.map((each) => each.statements)), roundTrips: median(warm.map((each) => each.roundTrips)) }
  } finally {
    await server.stop()
    relay.server.close()
    await rm(dirname(server.dataDir), { recursive: true, force: true })
  }
}

async function openRelay(
  world: World,
  counted: { statements: number; roundTrips: number },
): Promise<{ readonly server: Server; readonly url: string }> {
  const connection = await connectionOf(world)
  const target = 'url' in connection ? new URL(connection.url) : null
  const server = createServer((client) => {
    const database =
      'url' in connection
        ? createConnection({ host: target!.hostname, port: Number(target!.port || 5432) })
        : createConnection(`${connection.socketDir}/.s.PGSQL.${connection.port}`)
    let isAnswered = true
    const count = countMessages((type) => {
      if (type === EXECUTE || type === QUERY) counted.statements += 1
    })
    client.on('data', (chunk) => {
      if (isAnswered) counted.roundTrips += 1
      isAnswered = false
      count(chunk)
      database.write(chunk)
    })
    database.on('data', (chunk) => {
      isAnswered = true
      client.write(chunk)
    })
    const close = () => {
      client.destroy()
      database.destroy()
    }
    for (const end of [client, database]) end.on('error', close).on('close', close)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const user = target ? `${target.username}${target.password && `:${target.password}`}` : (connection as { user: string }).user
  const database = target ? target.pathname.slice(1) : (connection as { database: string }).database
  return { server, url: `postgres://${user}@127.0.0.1:${port}/${database}` }
}

/** Calls `seen` with the type of each message of a client. The first message of a connection has no type. */
function countMessages(seen: (type: number) => void): (chunk: Buffer) => void {
  let left: Buffer = Buffer.alloc(0)
  let isStarted = false
  return (chunk) => {
    left = left.length === 0 ? chunk : Buffer.concat([left, chunk])
    for (;;) {
      const head = isStarted ? 1 : 0
      if (left.length < head + 4) return
      const size = head + left.readInt32BE(head)
      if (left.length < size) return
      if (isStarted) seen(left[0]!)
      isStarted = true
      left = left.subarray(size)
    }
  }
}
