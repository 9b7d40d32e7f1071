import { afterAll, beforeAll, expect, test } from 'bun:test'
import { once } from 'node:events'
import { createServer, connect as dial, type Server, type Socket } from 'node:net'
import postgres from 'postgres'
import type { EmbeddedDatabase } from '../../../core/data/database/embedded.ts'
import { afterCommit, type Connection, connectPool, type Sql, savepoint, sendWithCommit, transaction } from '../../../core/data/sql.ts'
import { runAs } from '../../../core/data/tenant-context.ts'
import { startServer } from '../../support/database.ts'
import { openRelay } from '../../support/database-traffic.ts'
import { until } from '../../support/until.ts'

/** Holds `patches/postgres@3.4.9.patch`: each test fails without one of its parts. The network is a relay, so that each loss happens when the test says. */

let server: EmbeddedDatabase
let relay: Server
let relayPort = 0
let toRelay: { readonly url: string }
/** Both ends of every connection that is open through the relay. */
const open = new Set<{ readonly client: Socket; readonly database: Socket }>()
/** Decides on each connection and on each message of a client whether the relay hangs up. */
let hangUp: (message: string | null) => boolean = () => false

beforeAll(async () => {
  server = await startServer()
  const { socketDir, port, user, database } = server.connection as Extract<Connection, { socketDir: string }>
  relay = createServer((client) => {
    if (hangUp(null)) return client.end()
    const pair = { client, database: dial(`${socketDir}/.s.PGSQL.${port}`) }
    open.add(pair)
    client.on('data', (message) => (hangUp(message.toString('latin1')) ? cut(pair) : pair.database.write(message)))
    pair.database.on('data', (message) => client.write(message))
    for (const end of [client, pair.database]) end.on('error', () => cut(pair)).on('close', () => cut(pair))
  })
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve))
  relayPort = (relay.address() as { port: number }).port
  toRelay = { url: `postgres://${user}@127.0.0.1:${relayPort}/${database}` }
})

afterAll(async () => {
  relay.close()
  await server.stop()
})

function cut(pair: { readonly client: Socket; readonly database: Socket }) {
  open.delete(pair)
  pair.client.end()
  pair.database.destroy()
}

const cutAll = () => {
  for (const pair of open) cut(pair)
}

type Droppable = Sql & { drop(error: Error): void }
const gone = (code: string) => Object.assign(new Error('The database is gone.'), { code })

/** Settles as the promise does, or as `pending` after a time in which it should have settled. */
const outcome = (promise: Promise<unknown>, ms = 3_000) =>
  Promise.race([
    promise.then(
      () => 'resolved',
      (error: { code?: string }) => error.code ?? String(error),
    ),
    Bun.sleep(ms).then(() => 'pending'),
  ])

/** Ends the session from outside, as an administrator or a timeout would. */
async function terminate(pid: number) {
  const sql = connectPool(server.connection, 1)
  await sql`select pg_terminate_backend(${pid}, 5000)`
  await sql.end()
}

const transactionOf = async (sql: Pick<Sql, 'unsafe'>) =>
  (await sql.unsafe<{ id: string }[]>('select pg_current_xact_id()::text as id'))[0]!.id
const pidOf = async (sql: Pick<Sql, 'unsafe'>) => (await sql.unsafe<{ pid: number }[]>('select pg_backend_pid() as pid'))[0]!.pid

test('a transaction has its connection to itself, also when nothing is sent ahead', async () => {
  const sql = connectPool({ url: toRelay.url, pooled: true }, 1)
  const inside = sql.begin(async (tx) => {
    await tx`select 1`
    await Bun.sleep(20)
    return pidOf(tx)
  })
  expect(await outcome(inside)).toBe('resolved')
  await sql.end()
})

test('a socket that drains late does not give the connection of a transaction away', async () => {
  const socket = dial(relayPort, '127.0.0.1')
  await once(socket, 'connect')
  const sql = postgres({ user: 'serai', database: 'postgres', max: 1, socket: () => socket } as object)
  const strangers: Promise<unknown>[] = []
  await sql.begin(async (tx) => {
    const own = await transactionOf(tx)
    strangers.push(transactionOf(sql).then((id) => expect(id).not.toBe(own)))
    await Bun.sleep(10)
    socket.emit('drain')
    await Bun.sleep(10)
  })
  await Promise.all(strangers)
  await sql.end({ timeout: 1 })
})

test('driver: a statement of a transaction with a lost connection fails, and does not run on another connection', async () => {
  const sql = connectPool(toRelay, 1)
  await sql`create table if not exists strays (id integer)`
  const late: string[] = []
  const inside = sql.begin(async (tx) => {
    cutAll()
    await Bun.sleep(50)
    await sql`select 1`
    late.push(await outcome(tx`insert into strays values (1)`))
    late.push(await outcome(tx`insert into strays values (2)`))
  })
  expect(await outcome(inside)).toBe('CONNECTION_CLOSED')
  await until(() => late.length === 2, 3_000)
  expect(late).toEqual(['CONNECTION_CLOSED', 'CONNECTION_CLOSED'])
  expect(await sql`select * from strays`).toHaveLength(0)
  await sql.end({ timeout: 1 })
})

test('driver: a statement that is sent after its transaction ended fails, and does not run outside it', async () => {
  const sql = connectPool(toRelay, 1)
  await sql`create table if not exists latecomers (id integer)`
  for (const fails of [false, true]) {
    let late: Promise<string> | undefined
    const inside = sql.begin(async (tx) => {
      late = Bun.sleep(50).then(() => outcome(tx`insert into latecomers values (1)`))
      if (fails) throw Object.assign(new Error('It failed.'), { code: 'REFUSED' })
    })
    expect(await outcome(inside)).toBe(fails ? 'REFUSED' : 'resolved')
    expect(await late).toBe('TRANSACTION_ENDED')
  }
  expect(await sql`select * from latecomers`).toHaveLength(0)
  await sql.end({ timeout: 1 })
})

test('driver: statements of one turn are sent in one write', async () => {
  const socket = dial(relayPort, '127.0.0.1')
  await once(socket, 'connect')
  const writes: string[] = []
  const write = socket.write.bind(socket) as (chunk: Buffer, ...others: unknown[]) => boolean
  socket.write = ((chunk: Buffer, ...others: unknown[]) => {
    writes.push(chunk.toString('latin1'))
    return write(chunk, ...others)
  }) as Socket['write']
  const sql = postgres({ user: 'serai', database: 'postgres', max: 1, socket: () => socket } as object)
  const long = 'x'.repeat(3_000)
  for (const round of ['described', 'prepared'])
    await sql.begin(async (tx) => {
      await tx`select 1`
      if (round === 'prepared') writes.length = 0
      await Promise.all([1, 2, 3].map(() => tx`select ${long}::text`))
    })
  expect(writes.map((each) => each.split(long).length - 1)).toEqual([3, 0])
  await sql.end({ timeout: 1 })
})

test('driver: begin leaves with the first statement of its transaction, and commit with the last', async () => {
  const relay = await openRelay(server.connection)
  const sql = connectPool(relay.connection, 1)
  const count = async () => {
    const before = { ...relay.counted }
    await transaction(sql, async (tx) => {
      await tx`select 1`
      sendWithCommit(tx, [tx`select 2`, tx`select 3`])
    })
    return { statements: relay.counted.statements - before.statements, roundTrips: relay.counted.roundTrips - before.roundTrips }
  }
  await count()
  expect(await count()).toEqual({ statements: 5, roundTrips: 2 })
  await sql.end()
  relay.close()
})

test('driver: a query that is under way when a transaction begins on its connection gets its own answer', async () => {
  const sql = connectPool(toRelay, 1)
  const ask = (value: number) => sql<{ value: number }[]>`select ${value}::int as value from pg_sleep(0.02)`
  await ask(0)
  for (let value = 1; value <= 20; value += 1) {
    const before = ask(value)
    const inside = sql.begin(async (tx) => (await tx<{ value: number }[]>`select ${-value}::int as value`)[0]?.value)
    const after = ask(100 + value)
    expect((await before).map((row) => row.value)).toEqual([value])
    expect(await inside).toBe(-value)
    expect((await after).map((row) => row.value)).toEqual([100 + value])
  }
  await sql.end()
})

test('driver: a transaction whose begin fails runs nothing outside it', async () => {
  const sql = connectPool(toRelay, 1)
  await sql`create table if not exists unbegun (id integer)`
  const inside = sql.begin('isolation level none', async (tx) => {
    const first = tx`insert into unbegun values (1)`
    await Promise.allSettled([first, tx`insert into unbegun values (2)`])
    await tx`insert into unbegun values (3)`
  })
  expect(await outcome(inside)).not.toMatch(/resolved|pending/)
  expect(await sql`select * from unbegun`).toHaveLength(0)
  await sql.end()
})

test('driver: a statement that fails beside commit rolls the transaction back, which fails with its error', async () => {
  const sql = connectPool(toRelay, 1)
  await sql`create table if not exists kept (id integer primary key)`
  let committed = 0
  const insertTwice = transaction(sql, async (tx) => {
    await tx`insert into kept values (1)`
    afterCommit(tx, () => (committed += 1))
    sendWithCommit(tx, [tx`insert into kept values (1)`, tx`insert into kept values (2)`])
  })
  expect(await outcome(insertTwice)).toBe('23505')
  const withoutHelper = sql.begin(async (tx) => {
    await tx`insert into kept values (1)`
    tx`insert into kept values (1)`.catch(() => {})
  })
  expect(await outcome(withoutHelper)).toBe('23505')
  expect(await sql`select * from kept`).toHaveLength(0)
  expect(committed).toBe(0)
  const inSavepoint = transaction(sql, async (tx) => {
    await tx`insert into kept values (3)`
    const refused = await savepoint(tx, async (inner) => sendWithCommit(inner, [inner`insert into kept values (3)`])).catch(() => 'refused')
    await tx`insert into kept values (4)`
    return refused
  })
  expect(await inSavepoint).toBe('refused')
  expect((await sql<{ id: number }[]>`select id from kept order by id`).map(({ id }) => id)).toEqual([3, 4])
  await sql.end()
})

test('driver: a transaction that loses its connection before its first statement fails', async () => {
  const sql = connectPool(toRelay, 1)
  await sql`select 1`
  const inside = sql.begin(async (tx) => {
    cutAll()
    await Bun.sleep(50)
    await tx`select 1`
  })
  expect(await outcome(inside)).toBe('CONNECTION_CLOSED')
  expect(await outcome(sql.begin(async () => {}))).toBe('resolved')
  expect(await outcome(sql`select 1`)).toBe('resolved')
  await sql.end()
})

test('statements that wait inside a transaction fail when its connection is lost', async () => {
  const sql = connectPool(toRelay, 1)
  let waiting: Promise<string[]> | undefined
  const inside = sql.begin(async (tx) => {
    const all = [tx`select pg_sleep(5)`, ...Array.from({ length: 9 }, (_, at) => tx`select ${at}::int`)]
    waiting = Promise.all(all.map((each) => outcome(each)))
    await Bun.sleep(100)
    cutAll()
    await waiting
  })
  expect(await outcome(inside)).toMatch(/CONNECTION_CLOSED/)
  expect(await waiting).not.toContain('pending')
  await sql.end({ timeout: 1 })
})

test('a connection that closes before it is ready fails the query that waits for it', async () => {
  const sql = connectPool(toRelay, 1)
  let attempts = 0
  hangUp = (message) => {
    if (message === null) attempts += 1
    return message === null
  }
  expect(await outcome(sql`select 1`)).toBe('CONNECTION_CLOSED')
  hangUp = () => false
  expect(attempts).toBeLessThan(3)
  expect(await outcome(sql`select 1`)).toBe('resolved')
  await sql.end({ timeout: 1 })
})

test('a connection that is lost while it reads the types of arrays fails the query, and nothing else', async () => {
  const unhandled: unknown[] = []
  const note = (error: unknown) => unhandled.push(error)
  process.on('unhandledRejection', note)
  const sql = connectPool(toRelay, 1)
  hangUp = (message) => message?.includes('typarray') === true
  expect(await outcome(sql`select 1`)).toBe('CONNECTION_CLOSED')
  hangUp = () => false
  expect(await outcome(sql`select ${['a']}::text[]`)).toBe('resolved')
  await Bun.sleep(20)
  process.off('unhandledRejection', note)
  expect(unhandled).toEqual([])
  await sql.end({ timeout: 1 })
})

test('a query that the server ends says why, and the next one does not', async () => {
  const sql = connectPool(toRelay, 1)
  const pid = await pidOf(sql)
  const asleep = outcome(sql`select pg_sleep(5)`)
  await Bun.sleep(50)
  await terminate(pid)
  expect(await asleep).toBe('57P01')
  expect(await outcome(sql`select 1`)).toBe('resolved')
  await sql.end({ timeout: 1 })
})

test('a pool can be closed after a query lost its connection', async () => {
  const sql = connectPool(toRelay, 1)
  await sql`select 1`
  const asleep = outcome(sql`select pg_sleep(5)`)
  await Bun.sleep(50)
  cutAll()
  expect(await asleep).toBe('CONNECTION_CLOSED')
  expect(await outcome(sql.end())).toBe('resolved')
})

test('a connection that is reset fails its queries, and the pool goes on', async () => {
  const sql = connectPool(toRelay, 1)
  await sql`select 1`
  const all = Promise.all([sql`select pg_sleep(5)`, sql`select 1`, sql`select 2`].map((each) => outcome(each)))
  await Bun.sleep(50)
  for (const { client } of open) client.resetAndDestroy()
  expect(await all).not.toContain('pending')
  // The error is known before the socket is closed: a query in between is lost too, and must hear of it.
  expect(await outcome(sql`select 1`)).not.toBe('pending')
  await Bun.sleep(50)
  expect(await outcome(sql`select 1`)).toBe('resolved')
  expect(await outcome(sql.end())).toBe('resolved')
})

test('a pool that is dropped fails what runs and what waits, and goes on', async () => {
  const sql = connectPool(toRelay, 1) as Droppable
  await sql`select 1`
  const all = Promise.all(
    [sql`select pg_sleep(5)`, ...Array.from({ length: 9 }, (_, at) => sql`select ${at}::int`)].map((each) => outcome(each)),
  )
  await Bun.sleep(50)
  sql.drop(gone('CONNECTION_AWAY'))
  expect(new Set(await all)).toEqual(new Set(['CONNECTION_AWAY']))
  expect(await outcome(sql`select 1`)).toBe('resolved')
  await sql.end({ timeout: 1 })
})

test('a pool that refuses queries fails them at once', async () => {
  let refusal: Error | null = null
  const sql = connectPool(toRelay, 1, () => refusal)
  await sql`select 1`
  refusal = gone('CONNECTION_AWAY')
  expect(await outcome(sql`select 1`)).toBe('CONNECTION_AWAY')
  refusal = null
  expect(await outcome(sql`select 1`)).toBe('resolved')
  await sql.end()
})

test('a tenant with many waiting queries does not delay the query of another tenant', async () => {
  const sql = connectPool(toRelay, 1)
  await sql`select 1`
  const done: string[] = []
  const ask = (tenant: string) => runAs(tenant, () => sql`select pg_sleep(0.002)`.then(() => done.push(tenant)))
  await Promise.all([...Array.from({ length: 50 }, () => ask('crowd')), ask('other')])
  expect(done.indexOf('other')).toBeLessThan(20)
  await sql.end()
})
