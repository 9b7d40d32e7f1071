import { randomBytes } from 'node:crypto'
import { chmod, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { KEY_BYTES } from '../../lib/crypto/crypto.ts'

type Settings = Pick<Config, 'encryptionKey' | 'previousEncryptionKey' | 'dataDir'>

/** Returns the path of the key file. */
export const keyFilePath = ({ dataDir }: Pick<Config, 'dataDir'>) => join(dataDir, 'encryption.key')

/**
 * Returns the configured keys, the current one first: from the environment, or from the lines of the key file. Empty if that file does not
 * exist. Throws if it cannot be read, because a new key would make every stored credential unreadable.
 */
export async function readKeys(config: Settings): Promise<Uint8Array[]> {
  const { encryptionKey, previousEncryptionKey } = config
  const previous = previousEncryptionKey ? [bytesOf(previousEncryptionKey)] : []
  if (encryptionKey) return [bytesOf(encryptionKey), ...previous]
  const file = keyFilePath(config)
  const text = await readFile(file, 'utf8').catch((cause) => {
    if (cause.code === 'ENOENT') return null
    throw new Error(`The encryption key in ${file} cannot be read (${cause.code}). Make it readable to this process, and start again.`, {
      cause,
    })
  })
  if (text === null) return previous
  const keys = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(bytesOf)
  if (keys.length === 0 || keys.some(({ length }) => length !== KEY_BYTES))
    throw new Error(`${file} holds no encryption key: each line is 32 bytes in base64. Put the right file back, and start again.`)
  return [...keys, ...previous]
}

const bytesOf = (text: string) => Buffer.from(text.trim(), 'base64')

/** Creates a key in the key file, atomically. */
export async function createKey(config: Settings): Promise<Uint8Array> {
  const [key, file] = [randomBytes(KEY_BYTES), keyFilePath(config)]
  await writeFile(`${file}.new`, `${key.toString('base64')}\n`, { mode: 0o600 })
  await chmod(`${file}.new`, 0o600)
  await rename(`${file}.new`, file)
  return key
}
