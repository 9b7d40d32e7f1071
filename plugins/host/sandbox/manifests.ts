import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Value } from '@sinclair/typebox/value'
import { putFile } from '../files.ts'
import { type Declared, Manifest } from './protocol.ts'

/**
 * What each bundle declared when it was first looked at, over restarts and for commands as for the server. A definition may come out
 * otherwise each time it is read; so it is read once, and what a person was shown is what he approves.
 */
export interface Manifests {
  find(hash: string): Promise<readonly Declared[] | undefined>
  keep(hash: string, declared: readonly Declared[]): Promise<void>
}

const KEPT_MAX = 200

export function openManifests(folder: string): Manifests {
  const fileOf = (hash: string) => join(folder, `${hash}.json`)

  async function forgetOldest() {
    const names = await readdir(folder)
    if (names.length <= KEPT_MAX) return
    const files = await Promise.all(names.map(async (name) => ({ name, at: (await stat(join(folder, name))).mtimeMs })))
    for (const { name } of files.sort((a, b) => a.at - b.at).slice(0, files.length - KEPT_MAX))
      await rm(join(folder, name), { force: true })
  }

  return {
    async find(hash) {
      const text = await readFile(fileOf(hash), 'utf8').catch(() => 'null')
      const manifest: unknown = JSON.parse(text)
      return Value.Check(Manifest, manifest) ? manifest : undefined
    },
    async keep(hash, declared) {
      await putFile(fileOf(hash), JSON.stringify(declared))
      await forgetOldest()
    },
  }
}
