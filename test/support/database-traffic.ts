import { createConnection, createServer, type Socket } from 'node:net'
import type { Connection } from '../../core/data/sql.ts'

/** Statements and round trips that passed a relay of {@link openRelay} so far. */
export interface DatabaseTraffic {
  statements: number
  /** Times that a connection sent something after an answer: it waits for the next one. */
  roundTrips: number
}

/** A relay to a database that counts what passes. */
export interface Relay {
  readonly connection: { readonly url: string }
  readonly counted: DatabaseTraffic
  close(): void
}

const [EXECUTE, QUERY, BIND, PARSE] = ['E', 'Q', 'B', 'P'].map((letter) => letter.charCodeAt(0))
const CREDENTIALS = /^postgres(?:ql)?:\/\/([^/]*@)?/

/** Opens a relay to a database. `seen` gets the text of each statement as it is sent; `begins` is true where the connection waited for an answer before. */
export async function openRelay(
  database: Connection,
  seen: (text: string, of: { readonly connection: number; readonly begins: boolean }) => void = () => {},
): Promise<Relay> {
  const counted = { statements: 0, roundTrips: 0 }
  let connections = 0
  const server = createServer((client) => {
    const target = connectTo(database)
    const connection = ++connections
    let [isAnswered, begins] = [true, true]
    const readMessages = messageReader((type, body) => {
      if (type !== EXECUTE && type !== QUERY) return
      counted.statements += 1
      seen(body, { connection, begins })
      begins = false
    })
    client.on('data', (chunk) => {
      begins = isAnswered
      if (isAnswered) counted.roundTrips += 1
      isAnswered = false
      readMessages(chunk)
      target.write(chunk)
    })
    target.on('data', (chunk) => {
      isAnswered = true
      client.write(chunk)
    })
    const close = () => {
      client.destroy()
      target.destroy()
    }
    for (const end of [client, target]) end.on('error', close).on('close', close)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return { connection: { url: relayedUrl(database, port) }, counted, close: () => server.close() }
}

function connectTo(database: Connection): Socket {
  if (!('url' in database)) return createConnection(`${database.socketDir}/.s.PGSQL.${database.port}`)
  const { hostname, port } = new URL(database.url)
  return createConnection({ host: hostname, port: Number(port || 5432) })
}

function relayedUrl(database: Connection, port: number): string {
  if (!('url' in database)) return `postgres://${database.user}@127.0.0.1:${port}/${database.database}`
  return `postgres://${CREDENTIALS.exec(database.url)?.[1] ?? ''}127.0.0.1:${port}${new URL(database.url).pathname}`
}

/** Calls `seen` with the type of each message of a client, and with the text of the statement that it runs. */
function messageReader(seen: (type: number, text: string) => void): (chunk: Buffer) => void {
  const texts = new Map<string, string>()
  let [left, running, isStarted]: [Buffer, string, boolean] = [Buffer.alloc(0), '', false]
  return (chunk) => {
    left = left.length === 0 ? chunk : Buffer.concat([left, chunk])
    for (;;) {
      // The first message of a connection has no type.
      const head = isStarted ? 1 : 0
      if (left.length < head + 4) return
      const size = head + left.readInt32BE(head)
      if (left.length < size) return
      const [type, body] = [left[0] ?? 0, left.toString('utf8', head + 4, size).split('\0')]
      if (isStarted && type === PARSE) texts.set(body[0] ?? '', body[1] ?? '')
      if (isStarted && type === BIND) running = texts.get(body[1] ?? '') ?? ''
      if (isStarted) seen(type, type === QUERY ? (body[0] ?? '') : running)
      isStarted = true
      left = left.subarray(size)
    }
  }
}
