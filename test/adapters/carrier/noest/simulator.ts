import { runSimulator, type Simulator, startSimulator } from '../../../support/simulator/simulator.ts'
import { answer } from './simulator/api.ts'
import { createBooks, type NoestOptions, type Order } from './simulator/books.ts'

export type { NoestOptions, Order }

export interface Noest extends Simulator {
  readonly credentials: { readonly apiToken: string; readonly userGuid: string }
  orders(reference?: string): Order[]
  /** Adds an event to a parcel's feed. */
  advance(tracking: string, key: string, more?: { content?: string; at?: string }): Order
  /** The hub does what a request for changes asks for. */
  approve(tracking: string): Order
}

/** NOEST's side of the wire as its document describes it: drafts, refusals inside a 200, labels behind a redirect. */
export function startNoest(options: NoestOptions = {}): Noest {
  const credentials = { apiToken: 'sim-noest-token-a1b2c3d4', userGuid: 'SIM-GUID-0123456789' }
  const books = createBooks(options)
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
  const more = ({ content, at }: Readonly<Record<string, unknown>>) => ({
    ...(text(content) !== undefined && { content: String(content) }),
    ...(text(at) !== undefined && { at: String(at) }),
  })
  const simulator = startSimulator(options, {
    faultsOn: '^POST /api/public/create/',
    answer: (call) => answer(books, credentials, options, call),
    control: {
      'GET account': () => ({ credentials }),
      'GET orders': (_, query) => books.all(query.get('reference') ?? undefined),
      'POST advance': (body) => books.advance(String(body.tracking), String(body.event), more(body)),
      'POST approve': (body) => books.approve(String(body.tracking)),
    },
  })
  return { ...simulator, credentials, orders: books.all, advance: books.advance, approve: books.approve }
}

if (import.meta.main) runSimulator(startNoest)
