import { runSimulator, type Simulator, startSimulator } from '../../../support/simulator/simulator.ts'
import { answer, type MaystroOptions } from './simulator/api.ts'
import { createBooks, type Order } from './simulator/books.ts'
import { createHooks, type Told } from './simulator/hooks.ts'

export type { MaystroOptions, Order, Told }

export interface Maystro extends Simulator {
  readonly credentials: { readonly apiToken: string }
  orders(reference?: string): Order[]
  /** Moves a parcel to a status of the carrier's numbers (or to any other word). */
  advance(id: string, status: string, more?: { comment?: string; at?: string }): Order
  hooks(): readonly { readonly id: number; readonly endpoint: string }[]
  /** The body of a callback, encoded as often as asked. */
  callback(told: Told, rounds?: 1 | 2): string
  /** Calls every address that was registered; answers what each said. */
  deliver(told: Told): Promise<number[]>
}

/** Maystro's side of the wire as its clients describe it: own numbers of places, nothing signed, blank labels, aborts that are returns. */
export function startMaystro(options: MaystroOptions = {}): Maystro {
  const credentials = { apiToken: 'sim-maystro-token-a1b2c3d4' }
  const books = createBooks(options)
  const hooks = createHooks(books)
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
  const simulator = startSimulator(options, {
    faultsOn: '^POST /api/stores/orders/',
    answer: (call) => answer(books, hooks, credentials.apiToken, options, call),
    control: {
      'GET account': () => ({ credentials }),
      'GET orders': (_, query) => books.all(query.get('reference') ?? undefined),
      'POST advance': ({ id, status, comment, at }) =>
        books.advance(String(id), String(status), {
          ...(text(comment) !== undefined && { comment: String(comment) }),
          ...(text(at) !== undefined && { at: String(at) }),
        }),
      'POST deliver': (body) => hooks.deliver(body as unknown as Told),
    },
  })
  return {
    ...simulator,
    credentials,
    orders: books.all,
    advance: books.advance,
    hooks: hooks.all,
    callback: hooks.body,
    deliver: hooks.deliver,
  }
}

if (import.meta.main) runSimulator(startMaystro)
