import type { Logger } from 'pino'
import type { Context } from '../../context.ts'
import type { Vault } from '../../lib/crypto/crypto.ts'
import { MARK_OWNER } from './open.ts'
import { readMark, type SealedColumn, sealedColumns, updateMark } from './vault.queries.ts'

type Needs = Pick<Context, 'sql' | 'vault' | 'log'>

const AT_ONCE = 100

/** Reseals all values of earlier keys with the current key. Logs when the earlier keys are no longer needed. */
export async function resealAll(needs: Needs, signal: AbortSignal) {
  const { sql, vault, log } = needs
  let unreadable = 0
  for (const place of sealedColumns) unreadable += await resealPlace(needs, place, signal)
  if (signal.aborted) return
  if (unreadable > 0) return log.error({ unread: unreadable }, 'some sealed values can be opened with none of the encryption keys')
  const mark = await readMark(sql)
  if (!mark.startsWith(vault.prefix)) await updateMark(sql, vault.seal(vault.open(mark, MARK_OWNER), MARK_OWNER))
  log.info('everything is sealed with the present encryption key; earlier ones are needed no more')
}

/** Reseals the values of one store. Returns the number of values that no key opens. */
async function resealPlace({ sql, vault, log }: Needs, shelf: SealedColumn, signal: AbortSignal): Promise<number> {
  let unread = 0
  for (let after = ''; !signal.aborted; ) {
    const rows = await shelf.list(sql, vault.prefix, after, AT_ONCE)
    for (const { row, owner, sealed } of rows) {
      const plain = openOrNull(vault, log, sealed, owner)
      if (plain === null) unread += 1
      else await shelf.replace(sql, row, sealed, vault.seal(plain, owner))
      after = row
    }
    if (rows.length < AT_ONCE) break
  }
  return unread
}

function openOrNull(vault: Vault, log: Logger, sealed: string, owner: string): string | null {
  try {
    return vault.open(sealed, owner)
  } catch (err) {
    log.warn({ err, owner }, 'a sealed value is left as it is')
    return null
  }
}
