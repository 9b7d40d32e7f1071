import { createHmac } from 'node:crypto'
import { type Call, runSimulator, type Simulator, type SimulatorOptions, startSimulator } from '../../../support/simulator/simulator.ts'
import { answer, type Habits, usualHabits } from './simulator/api.ts'
import { createBooks, isDraft, type Json, type Order, statusOf } from './simulator/books.ts'

export { NOT_LISTED, NOT_SERVED } from './simulator/places.ts'
export type { Habits, Order }
export { statusOf }

export interface EcotrackOptions extends SimulatorOptions {
  readonly habits?: Partial<Habits>
}

export interface Callback {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

export interface Ecotrack extends Simulator {
  readonly credentials: { readonly token: string; readonly webhookSecret: string }
  readonly habits: Habits
  orders(reference?: string): Order[]
  /** Somebody's click in the company's panel: a draft becomes a real order. */
  validate(tracking: string): Order
  /** Moves an order, with a note to it where there is a reason. A draft never moves. */
  advance(tracking: string, status: string, more?: { at?: string; reason?: string }): Order
  /** Puts its money into a payout. */
  pay(tracking: string, paymentId: string, status?: string): Order
  /** An event as the platform would send it, signed over its exact bytes. */
  callback(event: Json): Callback
  sign(body: Uint8Array): Callback
  reset(): void
}

const credentials = { token: 'sim-ecotrack-token-a1b2c3d4e5f6', webhookSecret: 'sim-ecotrack-secret-0123456789' }
const word = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** One company of the platform, as the documentation of its API describes it, over a real socket. */
export function startEcotrack(options: EcotrackOptions = {}): Ecotrack {
  const now = options.now ?? Date.now
  const books = createBooks(now)
  const habits: Habits = { ...usualHabits, ...options.habits }

  function orderOf(tracking: string): Order {
    const order = books.get(tracking)
    if (!order) throw new Error(`The simulator has no order ${tracking}.`)
    return order
  }

  const orders = (reference?: string) => books.all().filter(({ fields }) => reference === undefined || fields.reference === reference)

  const validate = (tracking: string) => Object.assign(orderOf(tracking), { isValidated: true })

  function advance(tracking: string, status: string, { at, reason = '' }: { at?: string; reason?: string } = {}): Order {
    const order = orderOf(tracking)
    if (isDraft(order)) throw new Error(`${tracking} is a draft: nobody at the company sees it, and it never ships.`)
    order.history.push({ status, reason, at: at === undefined ? now() : Date.parse(at) })
    order.history.sort((a, b) => a.at - b.at)
    return order
  }

  function pay(tracking: string, paymentId: string, status = 'paiements_prets'): Order {
    const order = advance(tracking, status)
    order.paymentId = paymentId
    return order
  }

  function sign(body: Uint8Array, more: Readonly<Record<string, string>> = {}): Callback {
    const signature = createHmac('sha256', credentials.webhookSecret).update(body).digest('hex')
    return { headers: { 'content-type': 'application/json', 'x-ecotrack-signature': `sha256=${signature}`, ...more }, body }
  }

  const callback = (event: Json) =>
    sign(new TextEncoder().encode(JSON.stringify(event)), {
      'x-ecotrack-event': String(event.event),
      'x-ecotrack-event-id': String(event.event_id),
    })

  const simulator = startSimulator(options, {
    faultsOn: '^POST /api/v1/create/',
    answer: (call) => answer({ books, habits, token: credentials.token, now }, call),
    control: {
      'GET account': () => credentials,
      'GET orders': (_, query) => orders(query.get('reference') ?? undefined),
      'POST habits': (body) => Object.assign(habits, body),
      'POST validate': ({ tracking }) => validate(String(tracking)),
      'POST advance': ({ tracking, status, at, reason }) =>
        advance(String(tracking), String(status), {
          ...(word(at) !== undefined && { at: String(at) }),
          ...(word(reason) !== undefined && { reason: String(reason) }),
        }),
      'POST pay': ({ tracking, paymentId, status }) => pay(String(tracking), String(paymentId), word(status)),
      'POST callback': (event) => {
        const { headers, body } = callback(event)
        return { headers, body: new TextDecoder().decode(body) }
      },
    },
  })
  return {
    ...simulator,
    credentials,
    habits,
    orders,
    validate,
    advance,
    pay,
    callback,
    sign,
    reset() {
      books.clear()
      ;(simulator.requests as Call[]).length = 0
      simulator.calm()
      Object.assign(habits, usualHabits, options.habits)
    },
  }
}

if (import.meta.main) runSimulator(startEcotrack)
