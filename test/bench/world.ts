import { realpath, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Connection, connectPool, type Sql } from '../../core/data/sql.ts'
import { connectionUrl } from '../support/database.ts'
import { type ServerProcess, spawnServer } from '../support/process.ts'
import { storefront } from '../support/storefront.ts'
import { type Child, spawnChild } from './child.ts'
import { serverPid } from './memory.ts'
import { type Shop, stock } from './shop.ts'

/** The server that is measured. */
export interface Subject {
  readonly server: ServerProcess
  /** Set where the database is not its own. */
  readonly databaseUrl: string | undefined
  readonly firstStartMs: number
  pid(): Promise<number>
}

/** A shop in the server, and what asks it. */
export interface World extends Subject {
  readonly shop: Shop
  readonly sql: Sql
  readonly generator: Child
}

export type Closers = (() => Promise<unknown>)[]

export async function startSubject(closers: Closers, environment: Record<string, string> = {}): Promise<Subject> {
  const database = await connectionUrl()
  const began = performance.now()
  const server = await spawnServer({ ...database, ...environment })
  const firstStartMs = performance.now() - began
  closers.push(
    () => rm(dirname(server.dataDir), { recursive: true, force: true }),
    () => server.stop(),
  )
  return { server, databaseUrl: database.DATABASE_URL, firstStartMs, pid: () => serverPid(server.dataDir) }
}

export async function furnish(subject: Subject, closers: Closers): Promise<World> {
  const { server } = subject
  const connection = await connectionOf(subject)
  const sql = connectPool(connection, 2)
  closers.push(() => sql.end())
  const shop = await stock(storefront(server.url))
  const generator = spawnChild('load/generator.ts')
  closers.push(() => generator.stop())
  return { ...subject, shop, sql, generator }
}

export async function connectionOf({ server, databaseUrl }: Subject): Promise<Connection> {
  if (databaseUrl) return { url: databaseUrl }
  return { socketDir: await realpath(join(server.dataDir, 'postgres')), port: 5432, user: 'serai', database: 'postgres' }
}
