import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'

const BYTES_MAX = 64 * 1024
/** Open flags: do not follow links, which may lead to any file, and do not block on a pipe. */
const OPEN_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** Returns the README of an adapter in Markdown; null if its folder has none, or if it is not a file of at most 64 KiB. */
export async function readReadme(folder: string): Promise<string | null> {
  const file = await open(join(folder, 'README.md'), OPEN_FLAGS).catch(() => undefined)
  try {
    const found = await file?.stat()
    return file && found?.isFile() && found.size <= BYTES_MAX ? await file.readFile('utf8') : null
  } finally {
    await file?.close()
  }
}
