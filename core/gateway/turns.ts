import type { Context } from '../context.ts'
import type { Turns, Window } from '../data/turns.ts'
import { listCalls } from './traces.queries.ts'

const remembered = new WeakMap<Turns, Map<string, Promise<void>>>()

/** The turns of an account. A process that keeps them itself, alone, begins with what the traces say was asked before it started. */
export async function rememberedTurns({ shared, sql }: Context, connectionId: string, windows: readonly Window[]): Promise<Turns> {
  const { turns } = shared
  if (!turns.seed || windows.length === 0) return turns
  const known = remembered.get(turns) ?? new Map<string, Promise<void>>()
  remembered.set(turns, known)
  let seeded = known.get(connectionId)
  if (!seeded) {
    seeded = seed(sql, turns, connectionId, windows)
    known.set(connectionId, seeded)
    seeded.catch(() => known.delete(connectionId))
  }
  await seeded
  return turns
}

async function seed(sql: Context['sql'], turns: Turns, connectionId: string, windows: readonly Window[]) {
  const seconds = Math.max(...windows.map((window) => window.seconds))
  const most = Math.max(...windows.map(({ calls }) => calls))
  const rows = await listCalls(sql, connectionId, seconds, most)
  turns.seed!(
    connectionId,
    rows.flatMap(({ at, calls }) => new Array<number>(calls).fill(Date.parse(at))).sort((a, b) => a - b),
  )
}
