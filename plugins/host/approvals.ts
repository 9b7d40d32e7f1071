import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type as T } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { writeFileAtomically } from './atomic-file.ts'
import type { Bundle } from './bundle.ts'
import { DeclaredAdapter } from './sandbox/protocol.ts'

/** Approval by an operator: this code, reaching these hosts. */
const ApprovedAdapter = T.Object({
  slugs: T.Array(T.String()),
  hash: T.String({ pattern: '^[0-9a-f]{64}$' }),
  hosts: T.Array(T.String()),
  approvedAt: T.String(),
})
/** Type of {@link ApprovedAdapter}. */
export type ApprovedAdapter = Static<typeof ApprovedAdapter>

/** Content of the approvals file, which works like a lock file: an entry for each adapter's folder. */
const ApprovedFile = T.Object({ version: T.Literal(1), adapters: T.Record(T.String(), ApprovedAdapter) })

const StoredContent = T.Object({ code: T.String(), map: T.Optional(T.String()), declared: T.Array(DeclaredAdapter) })

/** Stored adapter that can be mounted without its folder. */
export interface StoredAdapter {
  readonly bundle: Bundle
  readonly declared: readonly DeclaredAdapter[]
}

/** ApprovedAdapter adapters of this server, stored in files. */
export interface Approvals {
  /** Reads the file again: a command may have changed it. */
  all(): Promise<Readonly<Record<string, ApprovedAdapter>>>
  /** Returns the approved code; undefined if its file is lost. */
  kept(hash: string): Promise<StoredAdapter | undefined>
  /** Stores the code and its approval. */
  approve(folder: string, kept: StoredAdapter, approved: Omit<ApprovedAdapter, 'hash' | 'approvedAt'>): Promise<ApprovedAdapter>
  /** Removes an approval; false if there was none. */
  forget(folder: string): Promise<boolean>
}

/** Name of the approvals file. */
export const APPROVALS_FILE = 'approved.json'

/** Opens the approvals in `folder`, the adapters' part of the data folder. Reading throws if the file was edited and is invalid. */
export function openApprovals(folder: string): Approvals {
  const file = join(folder, APPROVALS_FILE)
  const bundles = join(folder, 'bundles')
  const bundleFile = (hash: string) => join(bundles, `${hash}.json`)

  async function all(): Promise<Record<string, ApprovedAdapter>> {
    const text = await readFile(file, 'utf8').catch(() => undefined)
    if (text === undefined) return {}
    const content: unknown = jsonIn(text)
    if (!Value.Check(ApprovedFile, content))
      throw new Error(`${file} cannot be read. Correct it, or delete it and approve the adapters again.`)
    return content.adapters
  }

  async function write(adapters: Record<string, ApprovedAdapter>) {
    await writeFileAtomically(file, `${JSON.stringify({ version: 1, adapters }, null, 2)}\n`)
    const needed = new Set(Object.values(adapters).map(({ hash }) => hash))
    for (const name of await readdir(bundles).catch(() => []))
      if (!needed.has(name.split('.')[0]!)) await rm(join(bundles, name), { force: true })
  }

  return {
    all,
    async kept(hash) {
      const content: unknown = jsonIn(await readFile(bundleFile(hash), 'utf8').catch(() => ''))
      if (!Value.Check(StoredContent, content)) return undefined
      const { code, map, declared } = content
      return { bundle: { code, hash, ...(map !== undefined && { map }) }, declared }
    },
    async approve(at, { bundle, declared }, { slugs, hosts }) {
      const approved: ApprovedAdapter = { slugs, hash: bundle.hash, hosts, approvedAt: new Date().toISOString() }
      await writeFileAtomically(bundleFile(bundle.hash), JSON.stringify({ code: bundle.code, map: bundle.map, declared }))
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

/** Returns the slugs and hosts that the adapters of one folder request. */
export function requestedAccess(declared: readonly DeclaredAdapter[]): { slugs: string[]; hosts: string[] } {
  return {
    slugs: declared.map(({ data }) => String(data.slug)),
    hosts: [...new Set(declared.flatMap(({ data }) => data.net as string[]))].sort(),
  }
}
