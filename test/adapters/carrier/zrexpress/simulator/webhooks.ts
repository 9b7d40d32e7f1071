import { createHmac, randomBytes } from 'node:crypto'
import { type Books, type Json, shown } from './parcels.ts'

const endpointsMax = 5

export interface Endpoint {
  readonly id: string
  readonly url: string
  readonly description: string
  readonly eventTypes: readonly string[]
}

export interface Delivery {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

export interface Stamp {
  readonly id?: string
  readonly timestamp?: number
  /** Several while a secret is changed; the account's own unless given. */
  readonly secrets?: readonly string[]
}

export const newWebhookSecret = () => `whsec_${randomBytes(24).toString('base64')}`

/** Endpoints and what Svix sends to them. */
export function createWebhooks(books: Books, secret: string, now: () => number) {
  const endpoints = new Map<string, Endpoint & { readonly secret: string }>()

  const signature = (key: string, id: string, timestamp: number, body: Uint8Array) =>
    `v1,${createHmac('sha256', Buffer.from(key.replace(/^whsec_/, ''), 'base64'))
      .update(`${id}.${timestamp}.`)
      .update(body)
      .digest('base64')}`

  return {
    endpoints: () => [...endpoints.values()].map(({ secret: _, ...endpoint }) => endpoint),
    secretOf: (id: string) => endpoints.get(id)?.secret,
    secretFor: (url: string) => [...endpoints.values()].find((endpoint) => endpoint.url === url)?.secret ?? secret,
    /** Undefined where there is no room. */
    subscribe(endpoint: Omit<Endpoint, 'id'>): Endpoint | undefined {
      if (endpoints.size >= endpointsMax) return undefined
      const id = crypto.randomUUID()
      endpoints.set(id, { ...endpoint, id, secret: newWebhookSecret() })
      return { ...endpoint, id }
    },
    unsubscribe: (id: string) => endpoints.delete(id),

    /** What the carrier tells of a parcel as it is now. */
    event(eventType: string, tracking: string, change: Json = {}, occurredAt = new Date(now()).toISOString()): Json {
      const { customer, deliveryAddress, amount, deliveryPrice, returnPrice, state, situation, isReturn, isExchanged, ...row } = shown(
        books.must(tracking),
      )
      const { id, trackingNumber, externalId } = row
      const parcel = {
        id,
        trackingNumber,
        externalId,
        customer,
        supplier: { name: 'Shop' },
        deliveryAddress,
        amount,
        deliveryPrice,
        returnPrice,
      }
      return { eventType, occurredAt, data: { ...parcel, state, situation, isReturn, isExchanged, ...change } }
    },

    /** Signed over the exact bytes. */
    sign(
      body: Uint8Array,
      { id = `msg_${crypto.randomUUID()}`, timestamp = Math.floor(now() / 1000), secrets = [secret] }: Stamp = {},
    ): Delivery {
      return {
        body,
        headers: {
          'content-type': 'application/json',
          'svix-id': id,
          'svix-timestamp': String(timestamp),
          'svix-signature': secrets.map((key) => signature(key, id, timestamp, body)).join(' '),
        },
      }
    },

    async deliver(url: string, { headers, body }: Delivery): Promise<{ status: number; body: string }> {
      const init = { method: 'POST', headers, body, redirect: 'manual' as const, signal: AbortSignal.timeout(10_000) }
      const response = await fetch(url, init)
      return { status: response.status, body: await response.text() }
    },
  }
}
