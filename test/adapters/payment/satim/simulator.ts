import { runSimulator, type Simulator, type SimulatorOptions, startSimulator } from '../../../support/simulator/simulator.ts'
import { type Account, type ApiState, answer } from './simulator/api.ts'
import { createBooks, GOOD_CARD, type Kept, POOR_CARD, type State } from './simulator/books.ts'
import { shown, usualSpelling } from './simulator/spelling.ts'

export { GOOD_CARD, type Kept, POOR_CARD, type State }

export interface Satim extends Simulator {
  readonly credentials: Account
  /** May be changed while it runs, and is as usual once it is calm. */
  readonly state: ApiState
  /** Oldest first. */
  orders(): Kept[]
  of(orderId: string): Kept
  shown(orderId: string): Readonly<Record<string, unknown>>
  /** A payer types a card on the page. */
  pay(orderId: string, pan?: string): Kept
  /** What SATIM, or somebody in its console, makes of an order. */
  move(orderId: string, state: State): Kept
}

const account: Account = { userName: 'SAT2611200001', password: 'simulator-password-01', terminalId: 'E010900001' }

/** SATIM's side of the wire: forms, always 200, capitals here and there, orders that go back to the payer unless they are confirmed. */
export function startSatim(options: SimulatorOptions = {}): Satim {
  const usual: ApiState = { ...usualSpelling, redirects: undefined }
  const state = { ...usual }
  const books = createBooks(options.now ?? Date.now)
  const move: Satim['move'] = (orderId, to) => Object.assign(books.of(orderId), { state: to })
  const simulator = startSimulator(options, {
    faultsOn: '^POST /payment/rest/register.do$',
    answer: (call) => answer(books, account, state, call),
    control: {
      'GET account': () => ({ credentials: account }),
      'GET orders': () => books.all(),
      'POST pay': ({ id, pan }) => books.pay(String(id), typeof pan === 'string' ? pan : GOOD_CARD),
      'POST move': ({ id, state: to }) => move(String(id), String(to) as State),
    },
  })
  return {
    ...simulator,
    state,
    calm() {
      simulator.calm()
      Object.assign(state, usual)
    },
    credentials: account,
    orders: () => books.all(),
    of: books.of,
    shown: (orderId) => shown(books.of(orderId), state),
    pay: (orderId, pan = GOOD_CARD) => books.pay(orderId, pan),
    move,
  }
}

if (import.meta.main) runSimulator(startSatim)
