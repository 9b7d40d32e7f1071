import { type ReadonlySignal, signal } from '@preact/signals'
import type { Schemas } from '../../api/client.ts'
import { randomKey } from '../../api/random-key.ts'

/** Outcome of a call that waits to be sent. Its id is the `Idempotency-Key` of its request. */
export interface QueuedOutcome {
  readonly id: string
  readonly orderId: string
  /** Name of the customer, to show what waits. */
  readonly name: string
  readonly release: Schemas['ConfirmationRelease']
}

/** Outcomes that wait to be sent, oldest first. They survive a reload, and another tab may send them. */
export interface Outbox {
  readonly waiting: ReadonlySignal<readonly QueuedOutcome[]>
  add(outcome: QueuedOutcome): void
  /** Takes an outcome back. Returns false when it was sent already. */
  withdraw(id: string): Promise<boolean>
  /** Sends what waits, in order. Returns false when something has to wait longer. */
  flush(): Promise<boolean>
  close(): void
}

interface OutboxOptions {
  /** Name of the user and the store, so that nobody sends what is another's. */
  readonly scope: string
  /** Sends an outcome. Returns `later` when it must be sent again, with the same id. */
  readonly send: (outcome: QueuedOutcome) => Promise<'done' | 'later'>
  /** Runs when another tab has added an outcome. */
  readonly onForeign: (outcome: QueuedOutcome) => void
}

/** Opens the outbox of a user in a store. Each outcome has a place of its own in the storage, so that tabs do not overwrite each other. */
export function openOutbox({ scope, send, onForeign }: OutboxOptions): Outbox {
  const prefix = `serai.outcome.${scope}.`
  const waiting = signal(readOutcomes(prefix))
  const refresh = () => {
    waiting.value = readOutcomes(prefix)
  }
  const remove = (id: string) => {
    localStorage.removeItem(prefix + id)
    refresh()
  }
  const onStorage = ({ key, newValue }: StorageEvent) => {
    if (key !== null && !key.startsWith(prefix)) return
    refresh()
    const added = newValue === null ? undefined : parseOutcome(newValue)
    if (added) onForeign(added)
  }
  addEventListener('storage', onStorage)
  const alone = exclusively(`serai.outcomes.${scope}`)
  return {
    waiting,
    add(outcome) {
      localStorage.setItem(prefix + outcome.id, JSON.stringify(outcome))
      refresh()
    },
    withdraw: (id) =>
      alone(async () => {
        const isUnsent = localStorage.getItem(prefix + id) !== null
        remove(id)
        return isUnsent
      }),
    flush: () =>
      alone(async () => {
        for (const outcome of readOutcomes(prefix)) {
          if ((await send(outcome)) === 'later') return false
          remove(outcome.id)
        }
        return true
      }),
    close: () => removeEventListener('storage', onStorage),
  }
}

let made = 0
/** Makes an id that sorts by time. */
export function newOutcomeId(): string {
  made += 1
  return `${Date.now().toString(36).padStart(9, '0')}-${String(made).padStart(5, '0')}-${randomKey()}`
}

function readOutcomes(prefix: string): readonly QueuedOutcome[] {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(prefix))
  return keys.toSorted().flatMap((key) => parseOutcome(localStorage.getItem(key) ?? '') ?? [])
}

function parseOutcome(text: string): QueuedOutcome | undefined {
  try {
    return JSON.parse(text) as QueuedOutcome
  } catch {
    return undefined
  }
}

/** Runs one piece of work at a time, over all tabs. Browsers know no locks over plain HTTP: then over this tab alone. */
function exclusively(name: string) {
  let last: Promise<unknown> = Promise.resolve()
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const run = () => ('locks' in navigator ? (navigator.locks.request(name, work) as Promise<Result>) : work())
    const mine = last.then(run, run)
    last = mine
    return mine
  }
}
