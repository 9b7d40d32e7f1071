import { sha256 } from '../../lib/crypto/crypto.ts'
import type { McpServerRow } from './mcp.queries.ts'

/** Characters of a tool's name that models accept. */
const NAME_MAX = 64
const PREFIX_MAX = 20
const DIGEST_CHARS = 6
const SEPARATOR = '__'

/** Replaces all characters that models do not accept in a name: only letters, digits, _ and - stay. */
const plain = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-zA-Z0-9_-]+/g, '_')
    .replace(/^_+|_+$/g, '')

/** Returns a unique prefix for the tools of each server, by id: its name, with a number for a repeated name. Servers are numbered by id. */
export function prefixesOf(servers: readonly Pick<McpServerRow, 'id' | 'name'>[]): ReadonlyMap<string, string> {
  const used = new Set<string>()
  const prefixes = new Map<string, string>()
  for (const { id, name } of servers.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const own = plain(name).toLowerCase().slice(0, PREFIX_MAX) || 'server'
    let prefix = own
    for (let number = 2; used.has(prefix); number += 1) prefix = `${own.slice(0, PREFIX_MAX - 3)}-${number}`
    used.add(prefix)
    prefixes.set(id, prefix)
  }
  return prefixes
}

/** Returns the name of a tool for models. A name that is changed or cut ends with a hash, so that it is unique and stable. */
export function toolName(prefix: string, tool: string): string {
  const whole = `${prefix}${SEPARATOR}${plain(tool)}`
  if (plain(tool) === tool && whole.length <= NAME_MAX) return whole
  return `${whole.slice(0, NAME_MAX - DIGEST_CHARS - 1)}_${sha256(tool).slice(0, DIGEST_CHARS)}`
}
