import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type EncodedPicture, resizePicture, WIDTHS } from './pictures.ts'

/** Resized pictures, rendered once and cached on this machine's disk while there is room. */
export interface ResizedPictures {
  /** Returns a picture in a width; null if the original does not exist. `original` is called if the picture is not cached. */
  getResized(
    file: { readonly id: string; readonly contentType: string },
    width: number,
    owner: string,
    original: () => Promise<Uint8Array | null>,
  ): Promise<Uint8Array | null>
  /** Deletes all widths of a file. */
  deleteSizes(id: string): Promise<void>
}

/** Maximum bytes of the cache. */
const CACHE_BYTES = 1024 * 1024 * 1024
/** Fraction of the cache that is deleted when it is full. */
const TRIM_FRACTION = 0.2

/** Opens the cache in a folder. */
export function openResizedPictures(folder: string, room = CACHE_BYTES): ResizedPictures {
  const rendering = new Map<string, Promise<Uint8Array | null>>()
  // Assumes a full cache, to count what an earlier process left there.
  let written = room
  let trimming = Promise.resolve()

  async function save(path: string, { bytes }: EncodedPicture): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const fresh = `${path}.${crypto.randomUUID()}.new`
    await writeFile(fresh, bytes, { mode: 0o600 })
    await rename(fresh, path)
    written += bytes.length
    if (written < room * TRIM_FRACTION) return
    written = 0
    trimming = trimming.then(() => trim(folder, room)).catch(() => {})
    await trimming
  }

  async function render(
    path: string,
    ...[file, width, owner, original]: Parameters<ResizedPictures['getResized']>
  ): Promise<Uint8Array | null> {
    const cached = await readFile(path).catch(() => null)
    if (cached) return cached
    const bytes = await original()
    if (!bytes) return null
    const picture = await resizePicture(bytes, file.contentType, width, owner)
    // Serves the picture even if the disk is full.
    await save(path, picture).catch(() => {})
    return picture.bytes
  }

  return {
    getResized(file, width, owner, original) {
      const path = join(folder, nameOf(file.id, width))
      const known = rendering.get(path)
      if (known) return known
      const work = render(path, file, width, owner, original).finally(() => rendering.delete(path))
      rendering.set(path, work)
      return work
    },
    async deleteSizes(id) {
      for (const width of WIDTHS) await rm(join(folder, nameOf(id, width)), { force: true })
    },
  }
}

const nameOf = (id: string, width: number) => `${id}-${width}`

/** Deletes the oldest pictures until there is room again. */
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
    if (left <= room * (1 - TRIM_FRACTION)) return
    await rm(path, { force: true })
    left -= size
  }
}
