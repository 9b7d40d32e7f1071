import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'

const BYTES_MAX = 64 * 1024
/** A link may lead to anything that this server can read, and a pipe never ends. */
const AS_IT_LIES_THERE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** What the author of an adapter says of it, in Markdown; null where its folder has no README that is a file of a readable length. */
export async function readmeIn(folder: string): Promise<string | null> {
  const file = await open(join(folder, 'README.md'), AS_IT_LIES_THERE).catch(() => undefined)
  try {
    const found = await file?.stat()
    return file && found?.isFile() && found.size <= BYTES_MAX ? await file.readFile('utf8') : null
  } finally {
    await file?.close()
  }
}
