import { type Simulator, type SimulatorOptions, startSimulator } from '../../../support/simulator/simulator.ts'
import { createApi, type Habits } from './simulator/api.ts'
import { createBooks, type Order } from './simulator/books.ts'
import { createHooks } from './simulator/hooks.ts'

export type { Order }

/** What a payer, or time, makes of an order. */
export type Outcome = 'open' | 'authorized' | 'processing' | 'paid' | 'failed' | 'cancelled'

export interface PayPalSimulator extends Simulator, Omit<ReturnType<typeof createHooks>, 'isSigned'> {
  readonly credentials: { readonly clientId: string; readonly clientSecret: string; readonly webhookId: string }
  /** May be changed while it runs, and is as usual once it is calm. */
  readonly habits: Habits
  /** Oldest first; those of one of our payments where it is named. */
  orders(paymentId?: string): Order[]
  /** Nobody is told. */
  move(id: string, outcome: Outcome): Order
  /** No token that was given so far works any more. */
  revokeTokens(): void
  tokensIssued(): number
}

const credentials = {
  clientId: 'AYsimulator0A1b2C3',
  clientSecret: 'EKsimulator9Z8y7X6w5V4u3',
  webhookId: '8PT597110X687430LKGECATA',
} as const
const usual: Habits = {
  captureStatus: 'COMPLETED',
  refundStatus: 'COMPLETED',
  payerRel: 'payer-action',
  forgetsIds: false,
  tokenSeconds: 32_400,
  redirects: undefined,
}
const taken = { paid: 'COMPLETED', processing: 'PENDING', failed: 'DECLINED' } as const

/** PayPal's side of the wire: tokens, texts for amounts, money that moves when it is captured, and callbacks that it is asked about. */
export function startPayPal(options: SimulatorOptions = {}): PayPalSimulator {
  const now = options.now ?? Date.now
  const habits: Habits = { ...usual }
  const books = createBooks(now)
  const { isSigned, ...hooks } = createHooks(books, credentials.webhookId, now)
  const good = new Set<string>()
  let issued = 0
  const tokens = {
    issue() {
      issued += 1
      const token = `A21AA${crypto.randomUUID().replaceAll('-', '')}`
      good.add(token)
      return token
    },
    isGood: (token: string) => good.has(token),
  }
  const simulator = startSimulator(options, {
    faultsOn: '^POST /v2/checkout/orders$',
    answer: createApi({ books, credentials, tokens, habits, isSigned }),
  })

  function move(id: string, outcome: Outcome): Order {
    if (outcome === 'open') return books.get(id)
    if (outcome === 'cancelled') return books.cancel(id)
    const order = books.approve(id)
    return outcome === 'authorized' ? order : books.capture(id, taken[outcome])
  }

  return {
    ...simulator,
    ...hooks,
    credentials,
    habits,
    calm() {
      simulator.calm()
      Object.assign(habits, usual)
    },
    orders: (paymentId) => books.all().filter(({ unit }) => paymentId === undefined || unit.custom_id === paymentId),
    move,
    revokeTokens: () => good.clear(),
    tokensIssued: () => issued,
  }
}
