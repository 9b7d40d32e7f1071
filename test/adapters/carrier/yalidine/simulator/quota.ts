export type Limits = Readonly<Record<Window, number>>
type Window = 'second' | 'minute' | 'hour' | 'day'

const seconds: Readonly<Record<Window, number>> = { second: 1, minute: 60, hour: 3_600, day: 86_400 }
const windows = Object.keys(seconds) as Window[]

export const usualLimits: Limits = { second: 5, minute: 50, hour: 1_000, day: 10_000 }

export interface Verdict {
  readonly headers: Readonly<Record<string, string>>
  readonly retryAfter?: number
}

/** Four windows at once for each key; each begins with its first request, not on the clock. */
export function quota(limits: () => Limits | null, now: () => number): (key: string) => Verdict {
  const used = new Map<string, { since: number; calls: number }>()

  const windowOf = (key: string, name: Window) => {
    const id = `${key} ${name}`
    const found = used.get(id)
    if (found && now() - found.since < seconds[name] * 1000) return found
    const fresh = { since: now(), calls: 0 }
    used.set(id, fresh)
    return fresh
  }

  return (key) => {
    const most = limits()
    if (!most) return { headers: {} }
    const open = windows.map((name) => ({ name, window: windowOf(key, name) }))
    for (const { window } of open) window.calls++
    const left = open.map(({ name, window }) => [`x-${name}-quota-left`, String(Math.max(0, most[name] - window.calls))])
    const waits = open
      .filter(({ name, window }) => window.calls > most[name])
      .map(({ name, window }) => Math.ceil((window.since + seconds[name] * 1000 - now()) / 1000))
    const headers = Object.fromEntries(left)
    return waits.length === 0 ? { headers } : { headers, retryAfter: Math.max(1, ...waits) }
  }
}
