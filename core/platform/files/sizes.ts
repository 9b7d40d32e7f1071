import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Drawn, resized, WIDTHS } from './pictures.ts'

/** Pictures in other widths, drawn once and kept on this machine's disk as long as there is room. */
export interface Sizes {
  /** Its bytes. `original` is asked for where it is not drawn yet. */
  of(
    file: { readonly id: string; readonly contentType: string },
    width: number,
    owner: string,
    original: () => Promise<Uint8Array | null>,
  ): Promise<Uint8Array | null>
  /** All widths of a file that is there no more. */
  forget(id: string): Promise<void>
}

/** Bytes of all that is kept. */
const ROOM = 1024 * 1024 * 1024
/** So much of it goes when it is full. */
const SHARE = 0.2

export function openSizes(folder: string, room = ROOM): Sizes {
  const drawing = new Map<string, Promise<Uint8Array | null>>()
  // What an earlier process left there counts as well.
  let written = room
  let trimming = Promise.resolve()

  async function keep(path: string, { bytes }: Drawn): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const fresh = `${path}.${crypto.randomUUID()}.new`
    await writeFile(fresh, bytes, { mode: 0o600 })
    await rename(fresh, path)
    written += bytes.length
    if (written < room * SHARE) return
    written = 0
    trimming = trimming.then(() => trim(folder, room)).catch(() => {})
    await trimming
  }

  async function drawn(path: string, ...[file, width, owner, original]: Parameters<Sizes['of']>): Promise<Uint8Array | null> {
    const kept = await readFile(path).catch(() => null)
    if (kept) return kept
    const bytes = await original()
    if (!bytes) return null
    const picture = await resized(bytes, file.contentType, width, owner)
    // A full disk keeps nobody from seeing it.
    await keep(path, picture).catch(() => {})
    return picture.bytes
  }

  return {
    of(file, width, owner, original) {
      const path = join(folder, nameOf(file.id, width))
      const known = drawing.get(path)
      if (known) return known
      const work = drawn(path, file, width, owner, original).finally(() => drawing.delete(path))
      drawing.set(path, work)
      return work
    },
    async forget(id) {
      for (const width of WIDTHS) await rm(join(folder, nameOf(id, width)), { force: true })
    },
  }
}

const nameOf = (id: string, width: number) => `${id}-${width}`

/** What was drawn first goes first, until there is room again. */
async function trim(folder: string, room: number): Promise<void> {
  const found: { path: string; size: number; at: number }[] = []
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const known = await stat(path).catch(() => null)
    if (known) found.push({ path, size: known.size, at: known.mtimeMs })
  }
  let left = found.reduce((sum, { size }) => sum + size, 0)
  if (left <= room) return
  for (const { path, size } of found.sort((a, b) => a.at - b.at)) {
    if (left <= room * (1 - SHARE)) return
    await rm(path, { force: true })
    left -= size
  }
}
