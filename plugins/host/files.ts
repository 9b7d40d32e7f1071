import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Whole or not at all: a reader never sees half of it, whenever the power goes. */
export async function putFile(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const beside = `${path}.${crypto.randomUUID()}.new`
  await writeFile(beside, content, { mode: 0o600 })
  await rename(beside, path)
}
