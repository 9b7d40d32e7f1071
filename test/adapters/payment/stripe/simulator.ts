import { type Simulator, type SimulatorOptions, startSimulator } from '../../../support/simulator/simulator.ts'
import { createApi, type Habits } from './simulator/api.ts'
import { type Balance, createBalance } from './simulator/balance.ts'
import { createBooks, type Outcome, type Session } from './simulator/books.ts'
import { textAt } from './simulator/form.ts'
import { createHooks } from './simulator/hooks.ts'

export type { Outcome, Session }

export interface StripeSimulator
  extends Simulator,
    ReturnType<typeof createHooks>,
    Pick<Balance, 'payOut' | 'movePayout' | 'stray' | 'again' | 'payouts' | 'linesOf'> {
  readonly credentials: { readonly secretKey: string; readonly webhookSecret: string }
  /** May be changed while it runs, and is as usual once it is calm. */
  readonly habits: Habits
  /** Oldest first; those of one of our payments where it is named. */
  sessions(paymentId?: string): Session[]
  /** What a payer, or time, makes of a session. Nobody is told. */
  move(id: string, outcome: Outcome, more?: { amount?: number }): Session
}

const credentials = { secretKey: 'sk_test_simulator0A1b2C3d4E5f6', webhookSecret: 'whsec_simulator9Z8y7X6w5V4u3' } as const
const usual: Habits = { refundStatus: 'succeeded', redirects: undefined, isBusy: false, forgetsKeys: false, pageMax: 100 }

/** Stripe's side of the wire: forms, pinned versions, keys that repeat the first answer, and events that its own library signs. */
export function startStripe(options: SimulatorOptions = {}): StripeSimulator {
  const now = options.now ?? Date.now
  const habits: Habits = { ...usual }
  const books = createBooks(now)
  const balance = createBalance(books, now)
  const { payOut, movePayout, stray, again, payouts, linesOf } = balance
  const simulator = startSimulator(options, {
    faultsOn: '^POST /v1/checkout/sessions$',
    answer: createApi(books, balance, credentials.secretKey, habits),
  })
  return {
    ...simulator,
    ...createHooks(books, credentials.webhookSecret, now),
    payOut,
    movePayout,
    stray,
    again,
    payouts,
    linesOf,
    credentials,
    habits,
    calm() {
      simulator.calm()
      Object.assign(habits, usual)
    },
    sessions: (paymentId) =>
      books.all().filter(({ asked }) => paymentId === undefined || textAt(asked, 'metadata.paymentId') === paymentId),
    move: books.move,
  }
}
