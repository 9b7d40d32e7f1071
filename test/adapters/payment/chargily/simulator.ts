import { runSimulator, type Simulator, type SimulatorOptions, startSimulator } from '../../../support/simulator/simulator.ts'
import { answer } from './simulator/api.ts'
import { createBooks, type Json, type Kept, type Spelling, type Status, usualSpelling } from './simulator/books.ts'
import { createHooks, type Event, type Hooks } from './simulator/hooks.ts'

export type { Event, Kept, Spelling, Status }

export interface ChargilyOptions extends SimulatorOptions {
  readonly spelling?: Partial<Spelling>
  /** Each checkout becomes so, and its address is told of it, before the answer that names it goes out. */
  readonly movesBeforeAnswer?: Status
}

interface Telling extends Event {
  /** How often the same event is told. */
  readonly times?: number
  readonly afterMs?: number
}

export interface Chargily extends Simulator, Pick<Hooks, 'signed' | 'told' | 'eventOf' | 'written'> {
  readonly credentials: { readonly secretKey: string }
  readonly liveCredentials: { readonly secretKey: string }
  /** May be changed while it runs, and is as usual once it is calm: how things are written, and which calls are sent on to elsewhere. */
  readonly state: Spelling & { redirects: string | undefined }
  /** Oldest first; those of one of our payments where it is named. */
  checkouts(paymentId?: string): Kept[]
  shown(id: string): Json
  /** What a payer, or time, makes of a checkout. Another amount, as a discount would make it, where one is given. Nobody is told. */
  move(id: string, status: Status, more?: { amount?: number; at?: number }): Kept
  /** Tells the address of the checkout of the status that it has, or of the event that is given; answers with what status it was heard each time. */
  tell(id: string, event?: Telling): Promise<number[]>
}

const keys = { test: 'test_sk_simulator0A1b2C3d4E5f6', live: 'live_sk_simulator9Z8y7X6w5V4u3' } as const

/** Chargily's side of the wire as its documents describe it: whole dinars, a mode of address and key, PHP's JSON, signed with the key of the calls. */
export function startChargily(options: ChargilyOptions = {}): Chargily {
  const usual = { ...usualSpelling, ...options.spelling, redirects: undefined }
  const state: Chargily['state'] = { ...usual }
  const books = createBooks(state, options.now)
  const hooks = createHooks(books, keys)
  const { movesBeforeAnswer: status } = options

  async function tell(id: string, { times = 1, afterMs = 0, ...event }: Telling = {}): Promise<number[]> {
    const told = hooks.told(id, event)
    await Bun.sleep(afterMs)
    const heard: number[] = []
    for (let count = 0; count < times; count += 1) heard.push(await hooks.deliver(id, told))
    return heard
  }

  async function moveEarly({ id }: Kept): Promise<void> {
    if (status === undefined) return
    books.move(id, status)
    await tell(id)
  }

  const simulator = startSimulator(options, {
    faultsOn: '^POST (/test)?/api/v2/checkouts$',
    answer: (call) => answer(books, keys, { beforeAnswer: moveEarly, redirects: state.redirects }, call),
    control: {
      'GET account': () => ({ credentials: { secretKey: keys.test }, liveCredentials: { secretKey: keys.live } }),
      'GET checkouts': () => books.all().map((one) => ({ ...one, shown: books.shown(one) })),
      'POST move': ({ id, status, amount }) =>
        books.move(String(id), String(status) as Status, typeof amount === 'number' ? { amount } : {}),
      'POST tell': ({ id, ...event }) => tell(String(id), event as Telling),
    },
  })
  return {
    ...simulator,
    ...hooks,
    state,
    calm() {
      simulator.calm()
      Object.assign(state, usual)
    },
    credentials: { secretKey: keys.test },
    liveCredentials: { secretKey: keys.live },
    checkouts: (paymentId) =>
      books.all().filter(({ asked }) => paymentId === undefined || (asked.metadata as Json | undefined)?.paymentId === paymentId),
    shown(id) {
      const one = books.get(id)
      if (!one) throw new Error(`There is no checkout ${id}.`)
      return books.shown(one)
    },
    move: books.move,
    tell,
  }
}

if (import.meta.main) runSimulator(startChargily)
