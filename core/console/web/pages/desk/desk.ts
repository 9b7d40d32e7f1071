import { type ReadonlySignal, signal } from '@preact/signals'
import { api, type Schemas } from '../../api/client.ts'
import { OFFLINE, RequestError, unwrap } from '../../api/errors.ts'
import { newOutcomeId, openOutbox, type QueuedOutcome } from './outbox.ts'

type Leased = Schemas['Confirmation']
type Release = Schemas['ConfirmationRelease']
/** Name of an outcome of a call. */
export type Outcome = NonNullable<Release['outcome']>

/** Order that the agent calls. */
export interface Call extends Omit<Leased, 'leasedUntil'> {
  /** End of the lease by the clock of this device, in milliseconds. */
  readonly endsAt: number
}

/** Time or reason that an outcome needs. */
export type OutcomeDetails = Pick<Release, 'until' | 'reason' | 'reasonCode'>

/**
 * State of the desk: `loading` an order, `calling` its customer, `empty` when none is due, `paused` by the agent, `waiting` for the network
 * with outcomes to send, or `failed`.
 */
export type Phase = 'loading' | 'calling' | 'empty' | 'paused' | 'waiting' | 'failed'

/** Outcome that can be undone. */
export interface Undoable {
  readonly queued: QueuedOutcome
  readonly call: Call
}

/** Outcome that the server refused. */
export interface Refusal {
  readonly queued: QueuedOutcome
  readonly error: unknown
}

const UNDO_MS = 10_000
const RETRY_MS = [1_000, 2_000, 4_000, 8_000, 15_000]

/** Confirmation desk of an agent in a store. */
export type Desk = ReturnType<typeof openDesk>

interface DeskOptions {
  readonly storeId: string
  readonly userId: string
}

/** Opens the desk and leases its first order. `close` ends it. */
export function openDesk({ storeId, userId }: DeskOptions) {
  const call = signal<Call | null>(null)
  const phase = signal<Phase>('loading')
  const failure = signal<unknown>(null)
  const undoable = signal<Undoable | null>(null)
  const refusals = signal<readonly Refusal[]>([])
  /** Orders that are leased too, such as the one that was shown when an inbound call came. */
  let held: readonly Call[] = []
  const callIds = new Map<string, string | null>()
  let isPaused = false
  let turn = 0
  let failures = 0
  let retry: ReturnType<typeof setTimeout> | undefined
  let undoEnds: ReturnType<typeof setTimeout> | undefined

  const outbox = openOutbox({
    scope: `${userId}.${storeId}`,
    send,
    onForeign: ({ orderId }) => {
      if (call.peek()?.order.id === orderId) void proceed()
    },
  })

  async function send(queued: QueuedOutcome): Promise<'done' | 'later'> {
    try {
      const headers = { 'idempotency-key': queued.id }
      const { data } = await unwrap(api.POST('/v1/orders/confirmation/release', { body: queued.release, headers }))
      callIds.set(queued.id, data.callId)
    } catch (error) {
      if (isTemporary(error)) return 'later'
      refusals.value = [...refusals.peek(), { queued, error }]
    }
    return 'done'
  }

  function show(shown: Call): void {
    turn += 1
    clearTimeout(retry)
    failures = 0
    isPaused = false
    const before = call.peek()
    held = [...held, ...(before ? [before] : [])].filter(({ order }) => order.id !== shown.order.id)
    call.value = shown
    phase.value = 'calling'
  }

  function retryLater(): void {
    clearTimeout(retry)
    retry = setTimeout(() => void proceed(), RETRY_MS[Math.min(failures, RETRY_MS.length - 1)])
    failures += 1
  }

  /** Sends what waits, then leases the next order. Without a network, shows an order that is leased already. */
  async function proceed(): Promise<void> {
    turn += 1
    const mine = turn
    clearTimeout(retry)
    call.value = null
    if (phase.peek() !== 'waiting') phase.value = 'loading'
    const isSent = await outbox.flush()
    if (mine !== turn) return
    if (!isSent) {
      const other = held.findLast(({ endsAt }) => endsAt > Date.now())
      if (other) return show(other)
      phase.value = 'waiting'
      return retryLater()
    }
    if (isPaused) {
      phase.value = 'paused'
      return
    }
    try {
      const next = await leaseNext(storeId)
      if (mine !== turn) return
      if (next) return show(next)
      phase.value = 'empty'
      failures = 0
    } catch (error) {
      if (mine !== turn) return
      failure.value = error
      phase.value = 'failed'
      if (isTemporary(error)) retryLater()
    }
  }

  function record(outcome: Outcome, details: OutcomeDetails = {}): void {
    const current = call.peek()
    if (!current) return
    const { id, customer } = current.order
    const queued = { id: newOutcomeId(), orderId: id, name: customer.name, release: { storeId, orderId: id, outcome, ...details } }
    held = held.filter(({ order }) => order.id !== id)
    outbox.add(queued)
    isPaused = outcome === 'given_back'
    undoable.value = isPaused ? null : { queued, call: current }
    clearTimeout(undoEnds)
    undoEnds = setTimeout(() => (undoable.value = null), UNDO_MS)
    void proceed()
  }

  /** Undoes the last outcome: takes it back from the outbox, or asks the server. Throws when it is too late. */
  async function undo(): Promise<void> {
    const last = undoable.peek()
    if (!last) return
    undoable.value = null
    const { queued } = last
    if (await outbox.withdraw(queued.id)) return show(last.call)
    const callId = callIds.get(queued.id) ?? (await findNewestCall(queued.orderId))
    if (callId === undefined) return
    const body = { storeId, orderId: queued.orderId, callId }
    show(await readCall(api.POST('/v1/orders/confirmation/undo', { body, headers: { 'idempotency-key': `${queued.id}-undo` } })))
  }

  /** Leases the order of a customer who calls. The order shown before stays leased. */
  const take = async (orderId: string) => show(await readCall(api.POST('/v1/orders/confirmation/take', { body: { storeId, orderId } })))

  /** Leases the order on the desk for longer. */
  async function renew(): Promise<void> {
    const current = call.peek()
    if (current) await take(current.order.id)
  }

  /** Shows the order as it was just changed. */
  function replaceOrder(order: Schemas['Order']): void {
    const current = call.peek()
    if (current?.order.id === order.id) call.value = { ...current, order }
  }

  const onOnline = () => {
    if (['waiting', 'failed'].includes(phase.peek())) void proceed()
    else void outbox.flush()
  }
  addEventListener('online', onOnline)
  void proceed()
  return {
    call: call as ReadonlySignal<Call | null>,
    phase: phase as ReadonlySignal<Phase>,
    failure: failure as ReadonlySignal<unknown>,
    undoable: undoable as ReadonlySignal<Undoable | null>,
    refusals: refusals as ReadonlySignal<readonly Refusal[]>,
    waiting: outbox.waiting,
    record,
    undo,
    take,
    renew,
    replaceOrder,
    /** Leases the next order, after a pause or a failure. */
    resume() {
      isPaused = false
      void proceed()
    },
    dismissRefusals: () => (refusals.value = []),
    close() {
      turn += 1
      clearTimeout(retry)
      clearTimeout(undoEnds)
      removeEventListener('online', onOnline)
      outbox.close()
    },
  }
}

/** Errors that may pass: no network, an overload, or a session that ended and is opened again. */
const isTemporary = (error: unknown) =>
  error instanceof RequestError &&
  (error.code === OFFLINE || error.code === 'idempotency_in_progress' || error.status >= 500 || [401, 408, 429].includes(error.status))

type Asked<Data> = Promise<{ readonly data?: { readonly data: Data }; readonly error?: unknown; readonly response: Response }>

/** Leases the next order; null when none is due. */
async function leaseNext(storeId: string): Promise<Call | null> {
  const asked = api.POST('/v1/orders/confirmation/next', { body: { storeId } })
  const { data } = await unwrap(asked)
  return data && toCall(data, (await asked).response)
}

async function readCall(asked: Asked<Leased>): Promise<Call> {
  const { data } = await unwrap(asked)
  return toCall(data, (await asked).response)
}

/** Difference in milliseconds from which the clock of this device counts as wrong: the `Date` of a response is not exact. */
const SKEW_MS = 30_000

/** Converts the end of a lease to the clock of this device, by the `Date` of the response. */
function toCall({ leasedUntil, ...leased }: Leased, { headers }: Response): Call {
  const skew = Date.now() - (Date.parse(headers.get('date') ?? '') || Date.now())
  return { ...leased, endsAt: Date.parse(leasedUntil) + (Math.abs(skew) > SKEW_MS ? skew : 0) }
}

async function findNewestCall(orderId: string): Promise<string | undefined> {
  const { data } = await unwrap(api.GET('/v1/orders/{id}', { params: { path: { id: orderId } } }))
  return data.pastCalls[0]?.id
}
