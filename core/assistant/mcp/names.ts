import { sha256 } from '../../lib/crypto/crypto.ts'
import type { McpServerRow } from './mcp.queries.ts'

/** What models take as the name of a tool has so many letters, digits, _ and -. */
const NAME_MAX = 64
const PREFIX_MAX = 20
const DIGEST_CHARS = 6
const SEPARATOR = '__'

const plain = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-zA-Z0-9_-]+/g, '_')
    .replace(/^_+|_+$/g, '')

/** What the names of each server's tools begin with: its own name, and a number where two are called alike. In the order of their ids. */
export function prefixesOf(servers: readonly Pick<McpServerRow, 'id' | 'name'>[]): ReadonlyMap<string, string> {
  const taken = new Set<string>()
  const prefixes = new Map<string, string>()
  for (const { id, name } of servers.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const own = plain(name).toLowerCase().slice(0, PREFIX_MAX) || 'server'
    let prefix = own
    for (let number = 2; taken.has(prefix); number += 1) prefix = `${own.slice(0, PREFIX_MAX - 3)}-${number}`
    taken.add(prefix)
    prefixes.set(id, prefix)
  }
  return prefixes
}

/** The name of a tool for models: no two tools of a server have the same, and it stays what it is when others come and go. */
export function toolName(prefix: string, tool: string): string {
  const whole = `${prefix}${SEPARATOR}${plain(tool)}`
  if (plain(tool) === tool && whole.length <= NAME_MAX) return whole
  return `${whole.slice(0, NAME_MAX - DIGEST_CHARS - 1)}_${sha256(tool).slice(0, DIGEST_CHARS)}`
}
