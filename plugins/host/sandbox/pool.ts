import { type Call, unavailable } from './call.ts'
import type { Launch } from './deno.ts'
import { type Keeper, startKeeper } from './keeper.ts'
import { Leaving, type Limits, type Process, startProcess } from './process.ts'
import { type Turnstile, turnstile } from './turnstile.ts'

/** Processes of adapters: one for each bundle and connection, so that no code ever sees the secrets of two stores. */
export interface Pool {
  /** Asks the process that `key` names, which is started with `code` where there is none; a key begins with its bundle and a space. */
  call(key: string, code: string, call: Call): Promise<unknown>
  /** A process for a moment, with no connection. */
  borrow<V>(code: string, use: (process: Process) => Promise<V>): Promise<V>
  /** Stops idle processes whose key is not kept any more; busy ones when they have been idle for long. */
  retire(isKept: (key: string) => boolean): void
  pids(): readonly number[]
  close(): Promise<void>
}

export interface PoolOptions {
  /** Most processes at once. */
  readonly processes: number
  readonly limits: Limits
  readonly idleMs?: number
  /** How often idle processes are looked at, and every tenth time whether busy ones hear. */
  readonly lookMs?: number
  /** What a process wrote to its error output, or why it was ended; shortened. */
  readonly report: (key: string, words: string) => void
}

const IDLE_MS = 60_000
const WAITING_MAX = 500
const ROOM_MS = 30_000
/** The part of all processes that one bundle may hold: one whose calls never end does not keep out the others. */
const SHARE = 0.75
const BACK_OFF_MS = 100
const BACK_OFF_MAX_MS = 30_000
const LOOK_MS = 100
/** Every so many looks: a ping where there is work, a look at those without. */
const LOOKS_PER_PING = 10

const bundleOf = (key: string) => key.split(' ')[0]!

interface Slot {
  process: Process | undefined
  /** Set while a process is being started, so that many callers start one. */
  starting: Promise<void> | undefined
  idleSince: number
  failures: number
  notBefore: number
}

export function openPool(launch: Launch, { processes, limits, idleMs = IDLE_MS, lookMs = LOOK_MS, report }: PoolOptions): Pool {
  const slots = new Map<string, Slot>()
  const alive = new Set<Process>()
  const room = turnstile(processes, WAITING_MAX, 'a process')
  const sharePlaces = Math.max(1, Math.floor(processes * SHARE))
  const shares = new Map<string, Turnstile>()
  let keeper: Keeper | undefined
  let timer: ReturnType<typeof setInterval> | undefined
  let looks = 0
  let closed = false

  /** The idlest first; of one bundle, or of all. */
  const idle = (bundle?: string) =>
    [...slots]
      .filter(([key, { process }]) => process?.busy() === 0 && (bundle === undefined || bundleOf(key) === bundle))
      .map(([, slot]) => slot)
      .sort((a, b) => a.idleSince - b.idleSince)

  function shareOf(bundle: string): Turnstile {
    const share = shares.get(bundle) ?? turnstile(sharePlaces, WAITING_MAX, 'a process')
    shares.set(bundle, share)
    return share
  }

  function release(slot: Slot | undefined) {
    void slot?.process?.stop()
    if (slot) slot.process = undefined
  }

  function watch() {
    looks += 1
    const ping = looks % LOOKS_PER_PING === 0
    for (const process of alive) {
      if (ping || process.busy() > 0) process.look(ping && process.busy() > 0)
      process.rest()
    }
    if (!ping) return
    for (const slot of idle()) if (Date.now() - slot.idleSince > idleMs) release(slot)
    for (const [key, { process, starting, notBefore }] of slots)
      if (!process && !starting && Date.now() - notBefore > BACK_OFF_MAX_MS) slots.delete(key)
    if (alive.size > 0 || slots.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  /** Waits for room, of the bundle's share and of all, making some where a process is idle. Answers how to leave it. */
  async function enter(bundle: string): Promise<() => void> {
    const [share, patience] = [shareOf(bundle), AbortSignal.timeout(ROOM_MS)]
    const leave = () => {
      share.leave()
      if (share.inside() === 0) shares.delete(bundle)
    }
    const late = () => Promise.reject(unavailable('Too many adapters are at work. Try again later.'))
    if (share.inside() >= sharePlaces) release(idle(bundle)[0])
    await share.enter(patience).catch(late)
    if (room.inside() >= processes) release(idle()[0])
    await room.enter(patience).catch(() => {
      leave()
      return late()
    })
    return () => {
      leave()
      room.leave()
    }
  }

  async function start(key: string, code: string): Promise<Process> {
    if (closed) throw unavailable('The server is stopping.')
    const leave = await enter(bundleOf(key))
    if (closed) {
      leave()
      throw unavailable('The server is stopping.')
    }
    timer ??= setInterval(watch, lookMs)
    keeper ??= startKeeper()
    const process = startProcess(launch, code, limits, (words) => report(key, words))
    keeper.add(process.pid)
    alive.add(process)
    void process.ended.then(() => {
      alive.delete(process)
      keeper?.remove(process.pid)
      leave()
    })
    return process
  }

  async function processOf(key: string, code: string, slot: Slot): Promise<Process> {
    while (!slot.process || slot.process.leaving()) {
      const wait = slot.notBefore - Date.now()
      if (wait > 0) throw unavailable(`The adapter's process ended unexpectedly; it is started again in ${Math.ceil(wait)} ms.`)
      slot.starting ??= start(key, code)
        .then((process) => hold(key, slot, process))
        .finally(() => {
          slot.starting = undefined
        })
      await slot.starting
    }
    return slot.process
  }

  /** A process that ends while it is held and not stopped by us makes the next start wait longer. */
  function hold(key: string, slot: Slot, process: Process) {
    slot.process = process
    slot.idleSince = Date.now()
    void process.ended.then((reason) => {
      if (slot.process === process) slot.process = undefined
      if (process.leaving() || !process.stopped()) report(key, reason)
      if (process.stopped()) return
      slot.failures += 1
      slot.notBefore = Date.now() + Math.min(BACK_OFF_MAX_MS, BACK_OFF_MS * 2 ** (slot.failures - 1))
    })
  }

  return {
    async call(key, code, call) {
      const slot = slots.get(key) ?? { process: undefined, starting: undefined, idleSince: 0, failures: 0, notBefore: 0 }
      slots.set(key, slot)
      for (;;) {
        const process = await processOf(key, code, slot)
        // It may have been stopped to make room in between.
        if (slot.process !== process) continue
        try {
          const answer = await process.call(call)
          slot.failures = 0
          return answer
        } catch (error) {
          if (!(error instanceof Leaving)) throw error
        } finally {
          slot.idleSince = Date.now()
          // Somebody waits for room, and this one has nothing to do.
          const isWanted = room.waiting() > 0 || (shares.get(bundleOf(key))?.waiting() ?? 0) > 0
          if (isWanted && slot.process === process && process.busy() === 0) release(slot)
        }
      }
    },
    async borrow(code, use) {
      const process = await start('manifest', code)
      try {
        return await use(process)
      } finally {
        await process.stop()
      }
    },
    retire(isKept) {
      for (const [key, slot] of slots) if (!isKept(key) && slot.process?.busy() === 0) release(slot)
    },
    pids: () => [...alive].map(({ pid }) => pid),
    async close() {
      closed = true
      clearInterval(timer)
      await Promise.all([...alive].map((process) => process.stop()))
      keeper?.close()
    },
  }
}
