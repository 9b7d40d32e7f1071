import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Value } from '@sinclair/typebox/value'
import { writeFileAtomically } from '../atomic-file.ts'
import { type DeclaredAdapter, Manifest } from './protocol.ts'

/**
 * Declarations of each bundle from its first inspection, stored over restarts and shared with the commands. Code may declare something else
 * each time it runs. Since it is read once, the approved declaration is the one shown.
 */
export interface Manifests {
  find(hash: string): Promise<readonly DeclaredAdapter[] | undefined>
  keep(hash: string, declared: readonly DeclaredAdapter[]): Promise<void>
}

const MANIFESTS_MAX = 200

/** Opens the stored manifests in `folder`. Keeps the latest 200. */
export function openManifests(folder: string): Manifests {
  const fileOf = (hash: string) => join(folder, `${hash}.json`)

  async function deleteOldest() {
    const names = await readdir(folder)
    if (names.length <= MANIFESTS_MAX) return
    const files = await Promise.all(names.map(async (name) => ({ name, at: (await stat(join(folder, name))).mtimeMs })))
    for (const { name } of files.sort((a, b) => a.at - b.at).slice(0, files.length - MANIFESTS_MAX))
      await rm(join(folder, name), { force: true })
  }

  return {
    async find(hash) {
      const text = await readFile(fileOf(hash), 'utf8').catch(() => 'null')
      const manifest: unknown = JSON.parse(text)
      return Value.Check(Manifest, manifest) ? manifest : undefined
    },
    async keep(hash, declared) {
      await writeFileAtomically(fileOf(hash), JSON.stringify(declared))
      await deleteOldest()
    },
  }
}
