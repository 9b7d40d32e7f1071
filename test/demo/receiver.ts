import { createHmac, timingSafeEqual } from 'node:crypto'

const MAX_AGE_SECONDS = 300

export interface Event {
  readonly id: string
  readonly type: string
  readonly data: { readonly parcel?: { readonly id: string; readonly status: string }; readonly sequence?: number }
}

/** Starts a shop's webhook server. It accepts signed events, each once. It fails its first answer on purpose, so that the event is sent again. */
export function startReceiver() {
  const events = new Map<string, Event>()
  const seen = { verified: 0, forged: 0, repeated: 0, dropped: 0 }
  let secret = ''
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const raw = await request.text()
      if (!isSigned(raw, request.headers.get('x-service-cloud-signature') ?? '', secret)) {
        seen.forged++
        return new Response(null, { status: 401 })
      }
      seen.verified++
      const event = JSON.parse(raw) as Event
      if (events.has(event.id)) seen.repeated++
      events.set(event.id, event)
      if (seen.dropped > 0) return new Response(null, { status: 204 })
      seen.dropped++
      return new Response(null, { status: 503 })
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}/webhooks`,
    events: events as ReadonlyMap<string, Event>,
    seen: seen as Readonly<typeof seen>,
    believe(given: string) {
      secret = given
    },
    stop: () => server.stop(true),
  }
}

export type Receiver = ReturnType<typeof startReceiver>

/** `t=<seconds>,v1=<hex>`, over the seconds, a dot and the exact body. There are two `v1` while a secret is replaced. */
function isSigned(raw: string, header: string, secret: string): boolean {
  const parts = header.split(',').map((part) => part.split('='))
  const t = parts.find(([name]) => name === 't')?.[1] ?? ''
  if (secret === '' || !(Math.abs(Date.now() / 1000 - Number(t)) <= MAX_AGE_SECONDS)) return false
  const expected = createHmac('sha256', secret).update(`${t}.${raw}`).digest()
  return parts.some(([name, hex = '']) => {
    const given = Buffer.from(hex, 'hex')
    return name === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
  })
}
