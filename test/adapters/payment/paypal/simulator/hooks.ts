import { createSign, createVerify, generateKeyPairSync } from 'node:crypto'
import type { Books, Json, Order } from './books.ts'
import { shownCapture, shownOrder, shownRefund } from './books.ts'

export interface Told {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array<ArrayBuffer>
}

export type Subject = 'CHECKOUT.ORDER.APPROVED' | 'PAYMENT.CAPTURE.COMPLETED' | 'PAYMENT.CAPTURE.PENDING' | 'PAYMENT.CAPTURE.DENIED'

const CERTIFICATE = 'https://api.sandbox.paypal.com/v1/notifications/certs/CERT-360caa42-fca2a594-1d93a270'
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

const wordsOf = (id: string, at: string, webhookId: string, event: Uint8Array) => `${id}|${at}|${webhookId}|${Bun.hash.crc32(event)}`

/** Events as PayPal sends them, and whether they are its own, which it says of the bytes that it is given. */
export function createHooks(books: Books, webhookId: string, now: () => number) {
  function signed(body: Uint8Array<ArrayBuffer>): Told {
    const [id, at] = [crypto.randomUUID(), new Date(now()).toISOString().replace(/\.\d+Z$/, 'Z')]
    const headers = {
      'content-type': 'application/json',
      'paypal-auth-algo': 'SHA256withRSA',
      'paypal-cert-url': CERTIFICATE,
      'paypal-transmission-id': id,
      'paypal-transmission-sig': createSign('RSA-SHA256')
        .update(wordsOf(id, at, webhookId, body))
        .sign(privateKey, 'base64'),
      'paypal-transmission-time': at,
    }
    return { headers, body }
  }

  /** The event is what stands in the question to the letter, not what its JSON means. */
  function isSigned(question: string): boolean {
    const asked = JSON.parse(question) as Readonly<Record<string, string>>
    const mark = '"webhook_event":'
    const event = new TextEncoder().encode(question.slice(question.indexOf(mark) + mark.length, question.lastIndexOf('}')))
    const { transmission_id: id = '', transmission_time: at = '', transmission_sig: signature = '', webhook_id = '' } = asked
    if (asked.auth_algo !== 'SHA256withRSA' || asked.cert_url !== CERTIFICATE || webhook_id !== webhookId) return false
    return createVerify('RSA-SHA256')
      .update(wordsOf(id, at, webhook_id, event))
      .verify(publicKey, signature, 'base64')
  }

  const eventOf = (event_type: string, resource: Json, resource_type = 'capture'): Json => ({
    id: `WH-${crypto.randomUUID().toUpperCase()}`,
    event_version: '1.0',
    create_time: new Date(now()).toISOString(),
    resource_type,
    event_type,
    summary: 'Something happened – قميص 👕',
    resource,
    links: [],
  })

  const captureOf = (order: Order) => {
    const capture = order.captures.at(-1)
    if (!capture) throw new Error(`Nothing was captured of ${order.id}.`)
    return capture
  }

  function told(id: string, type: string): Json {
    const order = books.get(id)
    if (type.startsWith('CHECKOUT.')) return eventOf(type, shownOrder(order), 'checkout-order')
    return eventOf(type, shownCapture(order, captureOf(order)))
  }

  /** What is told of the last refund of an order. */
  function toldRefund(id: string): Json {
    const capture = captureOf(books.get(id))
    const refund = capture.refunds.at(-1)
    if (!refund) throw new Error(`Nothing of ${id} was given back.`)
    return eventOf('PAYMENT.CAPTURE.REFUNDED', shownRefund(capture, refund), 'refund')
  }

  const written = (event: unknown): Uint8Array<ArrayBuffer> => new TextEncoder().encode(JSON.stringify(event))

  return { signed, isSigned, eventOf, told, toldRefund, written }
}
