import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type DatabaseTraffic, openRelay } from '../../support/database-traffic.ts'
import { spawnServer } from '../../support/process.ts'
import { median } from '../figures.ts'
import { connectionOf, type World } from '../world.ts'
import type { BenchRequest } from './operations.ts'

const REQUESTS = 30

/**
 * Counts statements and round trips of a request: the median of thirty, one after the other, so that the background work of the server
 * does not count. They are sent to a second server whose connections to the same database pass through a relay.
 */
export async function findRoundTrips(world: World, requests: readonly BenchRequest[]): Promise<DatabaseTraffic> {
  const relay = await openRelay(await connectionOf(world))
  const { counted } = relay
  const key = await Bun.file(join(world.server.dataDir, 'encryption.key')).text()
  const server = await spawnServer({ DATABASE_URL: relay.connection.url, ENCRYPTION_KEY: key.trim() })
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
    relay.close()
    await rm(dirname(server.dataDir), { recursive: true, force: true })
  }
}
