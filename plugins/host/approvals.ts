import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type as T } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Bundle } from './bundle.ts'
import { putFile } from './files.ts'
import { Declared } from './sandbox/protocol.ts'

/** What an operator approved: this code, reaching these hosts. */
const Approved = T.Object({
  slugs: T.Array(T.String()),
  hash: T.String({ pattern: '^[0-9a-f]{64}$' }),
  hosts: T.Array(T.String()),
  approvedAt: T.String(),
})
export type Approved = Static<typeof Approved>

/** Like a lock file: an entry for each adapter's folder. */
const ApprovedFile = T.Object({ version: T.Literal(1), adapters: T.Record(T.String(), Approved) })

const Kept = T.Object({ code: T.String(), map: T.Optional(T.String()), declared: T.Array(Declared) })

/** An adapter as it can be mounted again without its folder. */
export interface Kept {
  readonly bundle: Bundle
  readonly declared: readonly Declared[]
}

export interface Approvals {
  /** Reads anew: a command may have written in between. */
  all(): Promise<Readonly<Record<string, Approved>>>
  /** The code as it was approved; undefined where it is lost. */
  kept(hash: string): Promise<Kept | undefined>
  approve(folder: string, kept: Kept, approved: Omit<Approved, 'hash' | 'approvedAt'>): Promise<Approved>
  /** False where there was none. */
  forget(folder: string): Promise<boolean>
}

export const APPROVED_FILE = 'approved.json'

/** `folder` is the adapters' part of the data folder. Throws where the file was written by hand and cannot be read. */
export function openApprovals(folder: string): Approvals {
  const file = join(folder, APPROVED_FILE)
  const bundles = join(folder, 'bundles')
  const keptFile = (hash: string) => join(bundles, `${hash}.json`)

  async function all(): Promise<Record<string, Approved>> {
    const text = await readFile(file, 'utf8').catch(() => undefined)
    if (text === undefined) return {}
    const content: unknown = jsonIn(text)
    if (!Value.Check(ApprovedFile, content))
      throw new Error(`${file} cannot be read. Correct it, or delete it and approve the adapters again.`)
    return content.adapters
  }

  async function write(adapters: Record<string, Approved>) {
    await putFile(file, `${JSON.stringify({ version: 1, adapters }, null, 2)}\n`)
    const needed = new Set(Object.values(adapters).map(({ hash }) => hash))
    for (const name of await readdir(bundles).catch(() => []))
      if (!needed.has(name.split('.')[0]!)) await rm(join(bundles, name), { force: true })
  }

  return {
    all,
    async kept(hash) {
      const content: unknown = jsonIn(await readFile(keptFile(hash), 'utf8').catch(() => ''))
      if (!Value.Check(Kept, content)) return undefined
      const { code, map, declared } = content
      return { bundle: { code, hash, ...(map !== undefined && { map }) }, declared }
    },
    async approve(at, { bundle, declared }, { slugs, hosts }) {
      const approved: Approved = { slugs, hash: bundle.hash, hosts, approvedAt: new Date().toISOString() }
      await putFile(keptFile(bundle.hash), JSON.stringify({ code: bundle.code, map: bundle.map, declared }))
      await write({ ...(await all()), [at]: approved })
      return approved
    },
    async forget(at) {
      const { [at]: found, ...rest } = await all()
      if (found) await write(rest)
      return found !== undefined
    },
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What an adapter asks for, over all adapters of its folder. */
export function asks(declared: readonly Declared[]): { slugs: string[]; hosts: string[] } {
  return {
    slugs: declared.map(({ data }) => String(data.slug)),
    hosts: [...new Set(declared.flatMap(({ data }) => data.net as string[]))].sort(),
  }
}
