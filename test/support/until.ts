/** Deadline of what a test waits for, in milliseconds. It is generous: a machine that works for others too is slow at times. */
const DEADLINE_MS = 60_000
/** Pauses between checks, in milliseconds. They grow with the time waited: most checks cost a request, and a fifth of a long wait is too much for them. */
const PAUSE_MS = { shortest: 20, longest: 80 }

/** Waits until the check returns something truthy, and returns that. Throws after the deadline, with the source of the check. */
export const until = <V>(check: () => V | Promise<V>, ms = DEADLINE_MS) =>
  poll(check, Boolean, check, ms) as Promise<Exclude<V, null | undefined | false>>

/** Reads until the value passes the check, and returns it. Throws after the deadline, with the last value and the source of the check. */
export const untilValue = <V>(read: () => V | Promise<V>, isWanted: (value: V) => boolean, ms = DEADLINE_MS): Promise<V> =>
  poll(read, isWanted, isWanted, ms)

/** `awaited` is the function whose source the error cites. */
async function poll<V>(read: () => V | Promise<V>, isWanted: (value: V) => boolean, awaited: object, ms: number): Promise<V> {
  for (const began = Date.now(); ; await Bun.sleep(pauseAfter(Date.now() - began))) {
    const value = await read()
    if (isWanted(value)) return value
    if (Date.now() > began + ms) throw new Error(`Waited ${ms} ms in vain for ${awaited}. Last: ${Bun.inspect(value)}`)
  }
}

const pauseAfter = (waitedMs: number) => Math.min(PAUSE_MS.longest, Math.max(PAUSE_MS.shortest, waitedMs / 3))
