import type { Context } from '../../context.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { listUnusedKeys } from './files.queries.ts'

type Needs = Pick<Context, 'sql' | 'files' | 'log'>

/** Deletes the bytes of a file if no file has the key. */
export async function deleteUnusedBytes({ sql, files }: Needs, key: string): Promise<void> {
  for (const stray of await listUnusedKeys(sql, [key])) await files.deleteBytes(stray)
}

/** Deletes the bytes under a prefix that belong to no file. Bytes that are being written now are left to the sweep. */
export const deleteUnusedUnder = (needs: Needs, prefix: string, signal: AbortSignal) => removeStrays(needs, prefix, Date.now(), signal)

/** Deletes bytes older than a day that belong to no file, for example after a crash. */
export async function sweepUnusedBytes(needs: Needs, signal: AbortSignal): Promise<void> {
  const removed = await removeStrays(needs, '', Date.now() - DAY_MS, signal)
  if (removed > 0) needs.log.info({ removed }, 'bytes that belong to no file were removed')
}

async function removeStrays({ sql, files }: Needs, prefix: string, before: number, signal: AbortSignal): Promise<number> {
  let removed = 0
  for await (const stored of files.storage.list(prefix)) {
    const old = stored.filter(({ at }) => at < before).map(({ key }) => key)
    const strays = old.length > 0 ? await listUnusedKeys(sql, old) : []
    for (const key of strays) {
      if (signal.aborted) return removed
      await files.deleteBytes(key)
      removed += 1
    }
  }
  return removed
}
