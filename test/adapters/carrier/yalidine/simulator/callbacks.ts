import { createHmac } from 'node:crypto'
import { type Books, type Json, labelOf, localTime, type Parcel, statusOf } from './parcels.ts'

export type EventType = 'parcel_created' | 'parcel_edited' | 'parcel_deleted' | 'parcel_status_updated' | 'parcel_payment_updated'

/** One event as the carrier would tell it; a tracking number alone tells of the parcel as it stands. */
export type EventInput = string | { readonly data: Json; readonly occurredAt?: string; readonly eventId?: string }

export interface Callback {
  readonly method: 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

const dataOf: Readonly<Record<EventType, (parcel: Parcel) => Json>> = {
  parcel_created: (parcel) => ({
    order_id: parcel.fields.order_id,
    tracking: parcel.tracking,
    label: labelOf(parcel),
    import_id: parcel.importId,
  }),
  parcel_edited: (parcel) => ({ tracking: parcel.tracking, label: labelOf(parcel) }),
  parcel_deleted: ({ tracking }) => ({ tracking }),
  parcel_status_updated: (parcel) => ({
    tracking: parcel.tracking,
    status: statusOf(parcel).status,
    reason: statusOf(parcel).reason,
  }),
  parcel_payment_updated: ({ tracking, paymentStatus, paymentId }) => ({
    tracking,
    status: paymentStatus,
    payment_id: paymentId,
  }),
}

export function callbacks(books: Books, secret: string, now: () => number) {
  const tag = crypto.randomUUID().slice(0, 8)
  let count = 0

  const eventOf = (type: EventType, input: EventInput) => {
    const event_id = `evt-${tag}-${++count}`
    if (typeof input !== 'string') {
      return {
        event_id: input.eventId ?? event_id,
        occurred_at: input.occurredAt ?? localTime(now()),
        data: input.data,
      }
    }
    const parcel = books.get(input)
    const at = parcel && type === 'parcel_status_updated' ? statusOf(parcel).at : now()
    return { event_id, occurred_at: localTime(at), data: parcel ? dataOf[type](parcel) : { tracking: input } }
  }

  return {
    /** Several events, one type, signed over the exact bytes. */
    callback(type: EventType, events: readonly EventInput[]): Callback {
      const body = Buffer.from(JSON.stringify({ type, events: events.map((input) => eventOf(type, input)) }))
      const signature = createHmac('sha256', secret).update(body).digest('hex')
      return {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-yalidine-signature': signature },
        body: new Uint8Array(body),
      }
    },

    /** One try; what comes back is told as it is. */
    async deliver(url: string, { method, headers, body }: Callback): Promise<{ status: number; body: string }> {
      const response = await fetch(url, {
        method,
        headers,
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(10_000),
      })
      return { status: response.status, body: await response.text() }
    },

    /** Whether the address proves that it is ours, as the carrier asks it. */
    async crc(url: string, token: string = crypto.randomUUID()): Promise<boolean> {
      const address = `${url}${url.includes('?') ? '&' : '?'}subscribe&crc_token=${encodeURIComponent(token)}`
      const response = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(10_000) })
      return response.ok && (await response.text()) === token
    },
  }
}
