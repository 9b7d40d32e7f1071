import { type Books, type Json, statusOf } from './books.ts'

/** News of one order: as it stands, or as it is said here. */
export interface Told {
  readonly id: string
  readonly status?: number | string
  readonly at?: string
  readonly messageId?: string
}

const encoded = (words: string) => Buffer.from(words).toString('base64')

export function createHooks(books: Books) {
  const hooks: { id: number; endpoint: string }[] = []
  const tag = crypto.randomUUID().slice(0, 8)
  let hookCount = 0
  let messageCount = 0

  /** In the form of Pub/Sub: one message, its data encoded once by older senders and twice by the present one. */
  function body({ id, status, at, messageId }: Told, rounds: 1 | 2 = 2): string {
    const order = books.get(id)
    const payload: Json = {
      instance_uuid: id,
      ...(order && { display_id_order: order.display_id, external_order_id: order.fields.external_order_id }),
      status: status ?? (order && statusOf(order)),
    }
    const once = encoded(JSON.stringify(payload))
    return JSON.stringify({
      message: {
        data: rounds === 2 ? encoded(once) : once,
        messageId: messageId ?? `msg-${tag}-${++messageCount}`,
        publishTime: at ?? new Date().toISOString(),
      },
      subscription: 'projects/example/subscriptions/hooks',
    })
  }

  return {
    all: (): readonly { readonly id: number; readonly endpoint: string }[] => hooks,
    add(endpoint: string) {
      const hook = { id: ++hookCount, endpoint }
      hooks.push(hook)
      return hook
    },
    remove(id: number): boolean {
      const at = hooks.findIndex((hook) => hook.id === id)
      return at >= 0 && hooks.splice(at, 1).length > 0
    },
    body,
    deliver: (told: Told) =>
      Promise.all(
        hooks.map(async ({ endpoint }) => {
          const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: body(told) }
          return (await fetch(endpoint, { ...init, redirect: 'manual', signal: AbortSignal.timeout(10_000) })).status
        }),
      ),
  }
}

export type Hooks = ReturnType<typeof createHooks>
