import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Writes a file atomically: readers see the old or the new content, even after a power failure. */
export async function writeFileAtomically(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const beside = `${path}.${crypto.randomUUID()}.new`
  await writeFile(beside, content, { mode: 0o600 })
  await rename(beside, path)
}
