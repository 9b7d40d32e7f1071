import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import { enqueue } from '../../data/jobs.ts'
import type { Sql } from '../../data/sql.ts'
import { digestKeyOf, openVault, type Vault } from '../../lib/crypto/crypto.ts'
import { createKey, keyFilePath, readKeys } from './keys.ts'
import { findMark, findSealedSample, insertMark } from './vault.queries.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'vault.reseal': Record<string, unknown>
  }
}

/** Owner id of the sealed mark. */
export const MARK_OWNER = 'vault'

/**
 * Opens the vault of this database. Creates a key only if there is none and nothing was sealed yet. Throws if the keys are not the
 * database's own. Enqueues a job that reseals values of earlier keys.
 */
export async function openDatabaseVault(sql: Sql, config: Config, log: Logger): Promise<Vault> {
  const given = await readKeys(config)
  const mark = await findMark(sql)
  const sample = mark === undefined ? await findSealedSample(sql) : { sealed: mark, owner: MARK_OWNER }
  if (given.length === 0 && sample)
    throw keyError(`There is no encryption key: ENCRYPTION_KEY is not set, and ${keyFilePath(config)} is not there.`)
  const [key = await createKey(config), ...earlier] = given
  const keys = [key, ...earlier]
  if (given.length === 0)
    log.info(`Made an encryption key in ${keyFilePath(config)}. Keep it: without it stored credentials cannot be read.`)
  const first = openVault(keys, digestKeyOf(key))
  if (sample) openOrThrow(first, sample)
  // Reads the fingerprint key from the mark, because it survives key rotation. Another process may have inserted it first.
  const sealed = mark ?? (await insertMark(sql, first.seal(digestKeyOf(key), MARK_OWNER)))
  const vault = openVault(keys, openOrThrow(first, { sealed, owner: MARK_OWNER }))
  if (earlier.length > 0) await enqueue(sql, 'vault.reseal', {}, { key: 'vault.reseal' })
  return vault
}

function openOrThrow(vault: Vault, { sealed, owner }: { sealed: string; owner: string }): string {
  try {
    return vault.open(sealed, owner)
  } catch (cause) {
    throw keyError('The encryption key is not the one of this database.', cause)
  }
}

const keyError = (what: string, cause?: unknown) =>
  new Error(
    `${what} What the database keeps is sealed with another: set ENCRYPTION_KEY to it, or put its encryption.key back. Nothing was changed.`,
    { cause },
  )
