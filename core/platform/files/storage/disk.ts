import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { HOUR_MS } from '../../../lib/durations.ts'
import { fileErrors } from '../files.errors.ts'
import { isKey, type ObjectStore, type StoredObject } from '../object-store.ts'
import { sliceFile, startStream } from './start-stream.ts'

const AT_ONCE = 500
const isAbsent = (error: unknown) => (error as { code?: string }).code === 'ENOENT'

/** Stores files in a folder, with one subfolder per owner. */
export function diskStore(folder: string): ObjectStore {
  const pathOf = (key: string) => {
    if (!isKey(key)) throw new Error('This is no key of a file.')
    return join(folder, key)
  }

  return {
    async put(key, bytes) {
      const path = pathOf(key)
      await writeAtomically(path, bytes).catch((cause) => {
        throw fileErrors.fileNotKept({
          cause,
          retryAfterSeconds: 5,
        })
      })
    },
    read: async (key) => orNull(readFile(pathOf(key))),
    open: async (key, range) =>
      startStream(
        sliceFile(Bun.file(pathOf(key)), range)
          .stream()
          .getReader(),
        orNull,
      ),
    remove: (key) => rm(pathOf(key), { force: true }),
    async *list(prefix) {
      const [owner = '', rest] = prefix.split('/')
      const owners = rest === undefined ? (await listNames(folder)).filter((name) => name.startsWith(owner)) : [owner]
      for (const each of owners) yield* listOwner(folder, each)
    },
  }
}

const orNull = <V>(work: Promise<V>): Promise<V | null> =>
  work.catch((error) => {
    if (isAbsent(error)) return null
    throw error
  })

/** Writes a file completely and flushes it before renaming it, so that a crash leaves no partial file. */
async function writeAtomically(path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const file = await open(`${path}.new`, 'w', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.new`, path)
}

const listNames = async (folder: string) => (await orNull(readdir(folder))) ?? []

/** Lists the files of an owner. Deletes incomplete files that are older than an hour. */
async function* listOwner(folder: string, owner: string): AsyncGenerator<readonly StoredObject[]> {
  const names = await listNames(join(folder, owner))
  for (let from = 0; from < names.length; from += AT_ONCE) {
    const found: StoredObject[] = []
    for (const name of names.slice(from, from + AT_ONCE)) {
      const path = join(folder, owner, name)
      const key = `${owner}/${name}`
      const at = (await stat(path).catch(() => null))?.mtimeMs
      if (at !== undefined && isKey(key)) found.push({ key, at })
      else if (at !== undefined && name.endsWith('.new') && Date.now() - at > HOUR_MS) await rm(path, { force: true })
    }
    yield found
  }
}
