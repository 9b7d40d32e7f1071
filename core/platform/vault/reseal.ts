import type { Logger } from 'pino'
import type { Context } from '../../context.ts'
import type { Vault } from '../../lib/crypto/crypto.ts'
import { MARK } from './open.ts'
import { readMark, type Shelf, shelves, updateMark } from './vault.queries.ts'

type Needs = Pick<Context, 'sql' | 'vault' | 'log'>

const AT_ONCE = 100

/** Seals with the present key what another one sealed, and says when the others are needed no more. */
export async function reseal(needs: Needs, signal: AbortSignal) {
  const { sql, vault, log } = needs
  let unread = 0
  for (const shelf of shelves) unread += await resealShelf(needs, shelf, signal)
  if (signal.aborted) return
  if (unread > 0) return log.error({ unread }, 'some sealed values can be opened with none of the encryption keys')
  const mark = await readMark(sql)
  if (!mark.startsWith(vault.prefix)) await updateMark(sql, vault.seal(vault.open(mark, MARK), MARK))
  log.info('everything is sealed with the present encryption key; earlier ones are needed no more')
}

/** How many could not be opened. */
async function resealShelf({ sql, vault, log }: Needs, shelf: Shelf, signal: AbortSignal): Promise<number> {
  let unread = 0
  for (let after = ''; !signal.aborted; ) {
    const rows = await shelf.list(sql, vault.prefix, after, AT_ONCE)
    for (const { row, owner, sealed } of rows) {
      const plain = plainOf(vault, log, sealed, owner)
      if (plain === null) unread += 1
      else await shelf.replace(sql, row, sealed, vault.seal(plain, owner))
      after = row
    }
    if (rows.length < AT_ONCE) break
  }
  return unread
}

function plainOf(vault: Vault, log: Logger, sealed: string, owner: string): string | null {
  try {
    return vault.open(sealed, owner)
  } catch (err) {
    log.warn({ err, owner }, 'a sealed value is left as it is')
    return null
  }
}
