import { evictOldest } from '../../lib/evict-oldest.ts'

/** Rate limit: at most `calls` in any period of `seconds`. */
export interface RateWindow {
  readonly calls: number
  readonly seconds: number
}

/** Options of `RateLimiter.acquire`. */
export interface AcquireOptions {
  /** Fraction of every window that may be used, 0 to 1. The rest is left to other callers. */
  readonly share?: number
  /** Called if nothing is recorded for the key. Returns the age of each earlier call in milliseconds. */
  readonly recallCalls?: () => Promise<readonly number[]>
}

/** Options of `RateLimiter.peek`. */
export interface PeekOptions extends AcquireOptions {
  /** If there is no slot now, reserves a time behind all earlier callers, so that waiting callers do not return all at once. */
  readonly canReserve?: boolean
}

/** Result of `RateLimiter.acquire`. */
export interface Slot {
  /** 0 if a slot was acquired, otherwise the milliseconds until one may be free. */
  readonly waitMs: number
  /**
   * Reports that the call was answered or abandoned. The slot counts for one window after that, since only then is it certain that the call
   * has arrived. The other side therefore never sees more calls in a window than it allows.
   */
  release(): Promise<void>
}

/** Rate limiter for calls to a limited service, such as a carrier's account. */
export interface RateLimiter {
  /** Acquires a slot in all windows of `key` at once, or none. */
  acquire(key: string, windows: readonly RateWindow[], options?: AcquireOptions): Promise<Slot>
  /** Returns the milliseconds until a slot may be free. Acquires none. */
  peek(key: string, windows: readonly RateWindow[], options?: PeekOptions): Promise<number>
  /** Blocks all slots of `key` for `ms` milliseconds. */
  pause(key: string, ms: number): Promise<void>
}

/** Returns the window in milliseconds, plus a margin: an abandoned call may arrive a moment later. */
const lengthMs = (seconds: number) => Math.ceil(seconds * 1000) + 100
/** Milliseconds after which an unreleased slot counts as released, because its process is gone. No call lasts longer. */
export const SLOT_HOLD_MS = 30_000

/** Returns a slot that was not acquired. */
export const unavailableSlot = (waitMs: number): Slot => ({ waitMs, release: async () => {} })

interface KeyState {
  /** Pending restore of earlier calls, done once. */
  remembered?: Promise<unknown> | undefined
  /** Times from which the slots count, oldest first. The slot of a pending call lies in the future. */
  readonly taken: number[]
  pausedUntil: number
  /** Last time that was reserved for a waiting caller. */
  lineEnd: number
}

const STATES_MAX = 20_000

/** Clock that is never adjusted. */
const monotonicNow = () => performance.timeOrigin + performance.now()

/** Creates the rate limiter of a single process. */
export function rateLimiterInMemory(now: () => number = monotonicNow): RateLimiter {
  const states = new Map<string, KeyState>()

  function stateOf(key: string): KeyState {
    const book = states.get(key) ?? { taken: [], pausedUntil: 0, lineEnd: 0 }
    states.delete(key)
    states.set(key, book)
    evictOldest(states, STATES_MAX)
    return book
  }

  /** Restores earlier calls. Nothing of this process is pending, so earlier calls have arrived. */
  async function restoreCalls({ taken }: KeyState, recallCalls: () => Promise<readonly number[]>) {
    const ages = await recallCalls()
    taken.unshift(...ages.map((age) => now() - Math.max(0, age - SLOT_HOLD_MS)).sort((a, b) => a - b))
  }

  /** Restores earlier calls once per key. */
  async function ensureRestored(key: string, windows: readonly RateWindow[], { recallCalls }: AcquireOptions) {
    const book = stateOf(key)
    if (recallCalls && windows.length > 0) book.remembered ??= restoreCalls(book, recallCalls)
    await book.remembered?.catch((error) => {
      book.remembered = undefined
      throw error
    })
  }

  /** Computes the wait. Synchronous, so that no other call comes between the check and the acquisition. */
  function inspect(key: string, windows: readonly RateWindow[], { share = 1 }: AcquireOptions) {
    const [book, at] = [stateOf(key), now()]
    const waits = windows.map((window) => waitIn(book.taken, window, share, at))
    return { book, at, waits, waitMs: Math.max(0, book.pausedUntil - at, ...waits.map(({ ms }) => ms)) }
  }

  return {
    async acquire(key, windows, options = {}) {
      await ensureRestored(key, windows, options)
      const { book, at, waitMs } = inspect(key, windows, options)
      if (waitMs > 0 || windows.length === 0) return unavailableSlot(waitMs)
      insertSorted(book.taken, at + SLOT_HOLD_MS)
      trimCalls(book, windows)
      return { waitMs: 0, release: async () => releaseSlot(book.taken, at + SLOT_HOLD_MS, now()) }
    },
    async peek(key, windows, { canReserve = false, ...options } = {}) {
      await ensureRestored(key, windows, options)
      const { book, at, waits, waitMs } = inspect(key, windows, options)
      if (waitMs === 0 || !canReserve) return waitMs
      const slowest = waits.toSorted((a, b) => b.ms - a.ms)[0]
      book.lineEnd = Math.max(book.lineEnd, at + waitMs) + (slowest?.spacingMs ?? 0)
      return book.lineEnd - at
    },
    async pause(key, ms) {
      const book = stateOf(key)
      book.pausedUntil = Math.max(book.pausedUntil, now() + ms)
    },
  }
}

/** Returns the wait in one window: the slot `calls` before must be out of it. A pending call counts as answered now. */
function waitIn(taken: readonly number[], { calls, seconds }: RateWindow, share: number, at: number) {
  const before = taken[taken.length - allowedOf(calls, share)]
  const length = lengthMs(seconds)
  return { ms: before === undefined ? 0 : Math.max(0, Math.min(before, at) + length - at), spacingMs: length / calls }
}

const allowedOf = (calls: number, share: number) => Math.max(1, Math.round(calls * share))

function insertSorted(taken: number[], time: number) {
  taken.splice(taken.findLastIndex((other) => other <= time) + 1, 0, time)
}

function releaseSlot(taken: number[], held: number, at: number) {
  const place = at < held ? taken.lastIndexOf(held) : -1
  if (place === -1) return
  taken.splice(place, 1)
  insertSorted(taken, at)
}

function trimCalls({ taken }: KeyState, windows: readonly RateWindow[]) {
  const most = Math.max(1, ...windows.map(({ calls }) => calls))
  if (taken.length > most * 2) taken.splice(0, taken.length - most)
}

/**
 * Lua script that acquires a slot in Redis, by Redis's clock. KEYS: the slots (scored by the time they count from), the pause, and the
 * last reserved time. ARGV: the slot to acquire (empty to peek), 1 to reserve a time, the hold in milliseconds, 1 to return -1 for an
 * unknown key. Then for each window: the calls allowed, its length, the spacing of waiting callers, and its calls.
 */
export const ACQUIRE_SLOT = `local t = redis.call('time')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local place, held = ARGV[1], tonumber(ARGV[3])
if ARGV[4] == '1' and redis.call('exists', KEYS[1]) == 0 then return -1 end
local wait, spacing, most, longest = 0, 0, 0, 0
local paused = redis.call('get', KEYS[2])
if paused then wait = math.max(0, tonumber(paused) - now) end
for i = 5, #ARGV, 4 do
  local allowed, length, calls = tonumber(ARGV[i]), tonumber(ARGV[i + 1]), tonumber(ARGV[i + 3])
  local before = redis.call('zrevrange', KEYS[1], allowed - 1, allowed - 1, 'withscores')[2]
  local ms = before and math.max(0, math.min(tonumber(before), now) + length - now) or 0
  if ms > wait or (ms > 0 and spacing == 0) then spacing = tonumber(ARGV[i + 2]) end
  wait, most, longest = math.max(wait, ms), math.max(most, calls), math.max(longest, length)
end
if wait == 0 then
  if place ~= '' and most > 0 then
    redis.call('zadd', KEYS[1], now + held, place)
    redis.call('zremrangebyrank', KEYS[1], 0, -most - 1)
    redis.call('pexpire', KEYS[1], longest + held)
  end
  return 0
end
if ARGV[2] == '0' then return wait end
local lineEnd = math.max(tonumber(redis.call('get', KEYS[3]) or '0'), now + wait) + spacing
redis.call('set', KEYS[3], string.format('%.0f', lineEnd), 'PX', math.max(1, math.floor(lineEnd - now)))
return math.ceil(lineEnd - now)`

/** Builds the arguments of the script that acquires a slot. */
export const acquireArguments = (
  place: string,
  windows: readonly RateWindow[],
  { share = 1, canReserve = false, recallCalls }: PeekOptions,
): string[] => [
  place,
  canReserve ? '1' : '0',
  String(SLOT_HOLD_MS),
  recallCalls && windows.length > 0 ? '1' : '0',
  ...windows.flatMap(({ calls, seconds }) => {
    const length = lengthMs(seconds)
    return [allowedOf(calls, share), length, Math.ceil(length / calls), calls].map(String)
  }),
]

/**
 * Lua script that records earlier calls, unless another process has done so. They count as pending. The first member marks the key as
 * initialized.
 */
export const RESTORE_CALLS = `if redis.call('exists', KEYS[1]) == 1 then return 0 end
local t = redis.call('time')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
redis.call('zadd', KEYS[1], 0, 'begun')
for i = 3, #ARGV do redis.call('zadd', KEYS[1], now - tonumber(ARGV[i]) + ARGV[1], 'before:' .. i) end
return redis.call('pexpire', KEYS[1], ARGV[2])`

/** Builds the arguments of the script that restores earlier calls. */
export const restoreArguments = (windows: readonly RateWindow[], ages: readonly number[]): string[] =>
  [SLOT_HOLD_MS, Math.max(...windows.map(({ seconds }) => lengthMs(seconds))) + SLOT_HOLD_MS, ...ages.map(Math.round)].map(String)

/** Lua script that releases a slot: it counts from now, by Redis's clock. */
export const RELEASE_SLOT = `local t = redis.call('time')
return redis.call('zadd', KEYS[1], 'XX', 'LT', t[1] * 1000 + math.floor(t[2] / 1000), ARGV[1])`

/** Lua script that pauses a key, by Redis's clock. A shorter pause never ends a longer one. */
export const PAUSE_CALLS = `local t = redis.call('time')
local ends = t[1] * 1000 + math.floor(t[2] / 1000) + tonumber(ARGV[1])
if ends > tonumber(redis.call('get', KEYS[1]) or '0') then redis.call('set', KEYS[1], string.format('%.0f', ends), 'PX', ARGV[1]) end
return 1`
