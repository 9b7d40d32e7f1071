import { createHmac } from 'node:crypto'
import type { Books, Json, Kept } from './books.ts'

export interface Event {
  /** `checkout.paid`; that of its status unless said. */
  readonly type?: string
  /** Fields of the checkout that are told otherwise than they are. */
  readonly data?: Json
  readonly livemode?: unknown
}

export interface Told {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array<ArrayBuffer>
}

/** JSON as PHP writes it: slashes and all that is no ASCII are escaped, so that what is written again has other bytes. */
const written = (value: unknown) =>
  JSON.stringify(value)
    .replaceAll('/', '\\/')
    .replace(/[\u0080-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)

export function createHooks(books: Books, keys: Readonly<Record<Kept['mode'], string>>) {
  /** Signed with the very key of the calls. */
  function signed(body: Uint8Array<ArrayBuffer>, mode: Kept['mode'] = 'test'): Told {
    const signature = createHmac('sha256', keys[mode]).update(body).digest('hex')
    return { headers: { 'content-type': 'application/json', signature }, body }
  }

  function eventOf(id: string, { type, data, livemode }: Event = {}): Json {
    const one = books.get(id)
    if (!one) throw new Error(`There is no checkout ${id}.`)
    const { checkout_url: url, ...checkout } = books.shown(one)
    return {
      id: `01je${crypto.randomUUID().replaceAll('-', '').slice(0, 22)}`,
      entity: 'event',
      livemode: livemode ?? String(one.mode === 'live'),
      type: type ?? `checkout.${one.status}`,
      data: { ...checkout, url, ...data },
      created_at: Math.floor(one.updatedAt / 1000),
      updated_at: Math.floor(one.updatedAt / 1000),
    }
  }

  const told = (id: string, event?: Event): Told => signed(new TextEncoder().encode(written(eventOf(id, event))), books.get(id)?.mode)

  /** Calls the address of the checkout; answers with what status it was heard. */
  async function deliver(id: string, { headers, body }: Told): Promise<number> {
    const address = books.get(id)?.asked.webhook_endpoint
    if (typeof address !== 'string') return 0
    const answer = await fetch(address, { method: 'POST', headers, body, redirect: 'manual' }).catch(() => undefined)
    await answer?.arrayBuffer()
    return answer?.status ?? 0
  }

  return { signed, eventOf, told, deliver, written }
}

export type Hooks = ReturnType<typeof createHooks>
