import { afterAll, describe, expect, test } from 'bun:test'
import net from 'node:net'
import { startApp } from '../../support/app.ts'

const { origin, shop } = await startApp({}, { socket: true })
const port = Number(new URL(origin).port)
const { key } = await shop()
const sockets: net.Socket[] = []
afterAll(() => {
  for (const socket of sockets) socket.destroy()
})

interface Said {
  readonly status: number
  readonly head: string
  readonly body: string
  /** Bytes that were taken from us until the answer came. */
  readonly sent: number
}

/** Writes to the socket, piece by piece, until it is answered. */
function say(pieces: Iterable<string | Uint8Array>, ms = 5_000): Promise<Said> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1')
    sockets.push(socket)
    let [heard, sent, over] = ['', 0, false]
    const late = setTimeout(() => end(), ms)
    const end = () => {
      if (over) return
      over = true
      clearTimeout(late)
      socket.destroy()
      const [head = '', ...rest] = heard.split('\r\n\r\n')
      resolve({ status: Number(head.split(' ')[1] ?? 0), head: head.toLowerCase(), body: rest.join('\r\n\r\n'), sent })
    }
    socket.on('data', (chunk) => {
      heard += chunk
      if (heard.includes('\r\n\r\n')) setTimeout(end, 20)
    })
    socket.on('close', end)
    socket.on('error', (error) => (heard ? end() : reject(error)))
    socket.on('connect', async () => {
      for (const piece of pieces) {
        if (over) return
        sent += piece.length
        if (!socket.write(piece)) await Promise.race([new Promise((go) => socket.once('drain', go)), Bun.sleep(ms)])
      }
    })
  })
}

function* chunked(path: string, megabytes: number, headers = '') {
  yield `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n${headers}\r\n`
  const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536, 0x20), Buffer.from('\r\n')])
  for (let at = 0; at < megabytes * 16; at += 1) yield chunk
  yield '0\r\n\r\n'
}

const code = ({ body }: Said) => (JSON.parse(body) as { error: { code: string } }).error.code

describe('a body is read only as far as it may count', () => {
  test('nothing of one whose sender may not ask, whatever its length', async () => {
    const before = process.memoryUsage.rss()
    const said = await Promise.all(Array.from({ length: 30 }, () => say(chunked('/v1/parcels/batches', 20))))
    for (const one of said) expect([one.status, code(one)]).toEqual([401, 'unauthenticated'])
    expect(process.memoryUsage.rss() - before).toBeLessThan(150e6)
  }, 120_000)

  test('a megabyte of one whose sender may', async () => {
    const said = await say(chunked('/v1/parcels/batches', 20, `Authorization: Bearer ${key}\r\n`))
    expect([said.status, code(said)]).toEqual([413, 'payload_too_large'])
    const open = await say(chunked('/v1/orders', 20))
    expect([open.status, code(open)]).toEqual([413, 'payload_too_large'])
  })

  test('one that says that it is too large is refused in our envelope, before anything is read', async () => {
    for (const bytes of [2 * 1024 * 1024, 40 * 1024 * 1024, 99_999_999_999]) {
      const said = await say([
        `POST /v1/orders HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n{`,
      ])
      expect([said.status, code(said)]).toEqual([413, 'payload_too_large'])
      expect(said.head.includes('connection: close')).toBe(bytes > 64 * 1024 * 1024)
    }
  })

  test('one whose two lengths differ is no request', async () => {
    const said = await say([
      'POST /v1/orders HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
    ])
    expect(said.status).toBe(400)
  })

  test('a body where none is asked for is refused, but for an empty object', async () => {
    const ask = (body: string) =>
      fetch(`${origin}/v1/users/auth/signout`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      })
    expect((await ask('{"a":1}')).status).toBe(403)
    const cancel = (body: string) =>
      fetch(`${origin}/v1/parcels/par_none/cancel`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      })
    for (const body of ['{"reason":"x"}', '[]', 'x', ' '.repeat(100)]) expect((await cancel(body)).status).toBe(400)
    expect((await cancel(' '.repeat(2_000_000))).status).toBe(413)
    for (const body of ['', '{}', '{ }', 'null']) expect((await cancel(body)).status).toBe(404)
  })
})

describe('a Host header', () => {
  test('of whatever length leaves the path what it is', async () => {
    for (const host of ['x', 'ab', 'a.b', 'api', 'localhost', '[::1]:3000']) {
      expect((await say([`GET /ab/v1/stores HTTP/1.1\r\nHost: ${host}\r\n\r\n`])).status).toBe(404)
      expect((await say([`GET /v1/stores HTTP/1.1\r\nHost: ${host}\r\n\r\n`])).status).toBe(401)
    }
  })

  test('that names no host is answered 400', async () => {
    for (const host of ['x/ab', 'x/v1/stores?', 'a b', '', 'x:99999', 'user@x', 'x#y', 'x\\y']) {
      const said = await say([`GET /v1/stores HTTP/1.1\r\nHost: ${host}\r\n\r\n`])
      expect([host, said.status]).toEqual([host, 400])
      expect(said.body).not.toContain('<!doctype')
    }
  })
})
