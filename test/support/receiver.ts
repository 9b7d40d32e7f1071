import { afterAll } from 'bun:test'
import { createHmac, timingSafeEqual } from 'node:crypto'

export interface Received {
  readonly headers: Headers
  readonly raw: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads shapes that it then asserts
  readonly event: any
  readonly at: number
}

type Reply = (received: Received, count: number) => Response | Promise<Response>

/** A shop's own server: keeps what it was sent, and answers as it is told. */
export function receiver(reply: Reply = () => new Response(null, { status: 204 })) {
  const all: Received[] = []
  let answer = reply
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const raw = await request.text()
      const received = { headers: request.headers, raw, event: JSON.parse(raw), at: performance.now() }
      all.push(received)
      return answer(received, all.length)
    },
  })
  afterAll(() => server.stop(true))
  return {
    url: `http://127.0.0.1:${server.port}/hook`,
    all,
    reply(next: Reply) {
      answer = next
    },
    /** Waits until there are so many. */
    async got(count: number, ms = 30_000): Promise<Received[]> {
      const until = Date.now() + ms
      while (all.length < count && Date.now() < until) await Bun.sleep(5)
      if (all.length < count) throw new Error(`${all.length} of ${count} came within ${ms} ms.`)
      return all
    },
  }
}

/** What the interface tells receivers to do, written without the server's code. */
export function verify({ headers, raw }: Received, secret: string): boolean {
  const parts = (headers.get('x-service-cloud-signature') ?? '').split(',').map((part) => part.split('=') as [string, string])
  const t = parts.find(([name]) => name === 't')?.[1] ?? ''
  if (Math.abs(Date.now() / 1000 - Number(t)) > 300) return false
  const expected = Buffer.from(createHmac('sha256', secret).update(`${t}.${raw}`).digest('hex'))
  return parts.some(([name, hex]) => name === 'v1' && hex.length === expected.length && timingSafeEqual(Buffer.from(hex), expected))
}
