import { afterAll, expect, test } from 'bun:test'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { external } from '../support/database.ts'
import { type Sibling, severalOn } from '../support/several.ts'
import { storefront } from '../support/storefront.ts'
import { untilValue } from '../support/until.ts'

const PROCESSES = 2
const CLIENTS = 6
/** Between an answer and the next request of a client: the load is constant, and leaves something of a busy machine to who starts. */
const PAUSE_MS = 20

if (!external.databaseUrl) console.log('Not run: a rolling restart needs a database that several processes can reach (TEST_DATABASE_URL).')

test.skipIf(!external.databaseUrl)(
  'processes behind one port are started anew one after another while clients ask and write: no request fails',
  async () => {
    const server = await severalOn()
    afterAll(() => server.end())
    let running: Sibling[] = []
    for (let at = 0; at < PROCESSES; at += 1) running.push(await server.start())
    const { open } = storefront(server.url)
    const { key } = await open()

    const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })
    const failures: string[] = []
    const answered = { reads: 0, writes: 0 }
    let going = true
    const client = async (who: number) => {
      for (let at = 0; going; at += 1) {
        const writes = at % 3 === 0
        const said = writes
          ? await ask(agent, server.url, key, 'POST', '/v1/parcels', parcel(`${who}-${at}`))
          : await ask(agent, server.url, key, 'GET', '/v1/parcels?limit=1')
        if (said === (writes ? 201 : 200)) answered[writes ? 'writes' : 'reads'] += 1
        else failures.push(`${writes ? 'POST' : 'GET'}: ${said}`)
        await Bun.sleep(PAUSE_MS)
      }
    }
    const clients = Array.from({ length: CLIENTS }, (_, who) => client(who))
    for (const old of running) {
      const fresh = await server.start()
      old.signal('SIGTERM')
      expect(await old.exited).toBe(0)
      running = [...running.filter((each) => each !== old), fresh]
    }
    going = false
    await Promise.all(clients)
    agent.destroy()
    expect(failures).toEqual([])
    expect(answered.reads).toBeGreaterThan(100)
    const [{ kept }] = (await server.sql`select count(*)::int as kept from parcels`) as unknown as [{ kept: number }]
    expect(kept).toBe(answered.writes)
  },
  300_000,
)

test.skipIf(!external.databaseUrl)(
  'who has connected when a process closes its socket, and asks only then, is answered',
  async () => {
    const server = await severalOn()
    afterAll(() => server.end())
    const process = await server.start()
    process.signal('SIGTERM')
    const answers: Promise<string>[] = []
    for (let next = await connected(server.url); next; next = await connected(server.url)) answers.push(askLate(next))
    // Who connects in the very moment of closing is the last one, and may be broken off by the system.
    const heard = (await Promise.all(answers)).slice(0, -1)
    expect(heard.length).toBeGreaterThan(5)
    expect(heard.filter((answer) => !answer.startsWith('HTTP/1.1 200'))).toEqual([])
    expect(await process.exited).toBe(0)
  },
  120_000,
)

test.skipIf(!external.databaseUrl)(
  'a process that is told to stop says so before it takes no more, and lives until it ends',
  async () => {
    const server = await severalOn({ DRAIN_SECONDS: '1.5', REUSE_PORT: 'false' })
    afterAll(() => server.end())
    const process = await server.start()
    const status = (path: string) =>
      fetch(server.url + path).then(async (answer) => ({ code: answer.status, ...((await answer.json()) as object) }))
    expect(await status('/health/live')).toMatchObject({ code: 200, status: 'ok' })
    expect(await status('/health/ready')).toMatchObject({ code: 200, status: 'ready' })
    process.signal('SIGTERM')
    expect(
      await untilValue(
        () => status('/health/ready'),
        ({ code }) => code !== 200,
      ),
    ).toMatchObject({ code: 503, status: 'draining' })
    expect(await status('/health/live')).toMatchObject({ code: 200 })
    const last = await fetch(`${server.url}/health/check`)
    expect([last.status, last.headers.get('connection')]).toEqual([200, 'close'])
    expect(await process.exited).toBe(0)
  },
  120_000,
)

const LATE_MS = 100

/** Undefined where nobody listens any more. */
async function connected(url: string): Promise<Socket | undefined> {
  await Bun.sleep(10)
  const { promise, resolve } = Promise.withResolvers<Socket | undefined>()
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.once('connect', () => resolve(socket))
  socket.once('error', () => resolve(undefined))
  return promise
}

async function askLate(socket: Socket): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  socket.once('data', (said) => resolve(String(said)))
  socket.once('close', () => resolve('closed'))
  await Bun.sleep(LATE_MS)
  socket.write('GET /health/live HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n')
  return promise
}

const parcel = (reference: string) => ({
  reference,
  recipient: { name: 'Amina', phone: '0550123456' },
  codAmount: 1200,
  destination: { country: 'DZ', stateCode: '16', cityName: 'El Biar', address: '', deliveryType: 'home' },
})

/** The status, or what went wrong. A connection that was kept and closed before anything of the answer came is asked anew, as clients do. */
function ask(agent: Agent, url: string, key: string, method: string, path: string, body?: object): Promise<number | string> {
  const { promise, resolve } = Promise.withResolvers<number | string>()
  const headers = {
    authorization: `Bearer ${key}`,
    ...(body && { 'content-type': 'application/json', 'idempotency-key': JSON.stringify(body).slice(0, 40) }),
  }
  const asked = request(url + path, { agent, method, headers }, (answer) => {
    answer.resume()
    answer.on('end', () => resolve(answer.statusCode ?? 0))
    answer.on('error', (error) => resolve(error.message))
  })
  asked.on('error', (error: Error & { code?: string }) => {
    if (asked.reusedSocket && error.code === 'ECONNRESET') resolve(ask(agent, url, key, method, path, body))
    else resolve(`${error.code} ${error.message}`)
  })
  asked.end(body && JSON.stringify(body))
  return promise
}
