import { yieldEvery } from '../../lib/async/yield-every.ts'
import type { Vault } from '../../lib/crypto/crypto.ts'

/** Characters that are hashed at once, and values that are written at once. */
const CHUNK = 64 * 1024
const FEW = 1_000

/**
 * A keyed digest of a text and a value after it, in whatever order the value's members came: what a body of the largest size takes is done in
 * pieces, between which others have their turn.
 */
export async function fingerprintOf(vault: Pick<Vault, 'fingerprinting'>, head: string, value: unknown): Promise<string> {
  const print = vault.fingerprinting()
  const breathe = yieldEvery()
  let text = head

  function write(piece: string): Promise<void> | undefined {
    text += piece
    if (text.length < CHUNK) return breathe()
    print.add(text)
    text = ''
    return breathe()
  }

  function writeAny(whole: unknown): Promise<void> | undefined {
    if (isSmall(whole)) return write(canonical(whole))
    return Array.isArray(whole) ? writeLarge(unnamed(whole), ['[', ']']) : writeLarge(named(whole as object), ['{', '}'])
  }

  async function writeLarge(members: Iterable<readonly [name: string, member: unknown]>, [opening, closing]: readonly [string, string]) {
    await breathe()
    let before = opening
    for (const [name, member] of members) {
      text += before + name
      before = ','
      await writeAny(member)
    }
    text += closing
  }

  await writeAny(value)
  print.add(text)
  return print.digest()
}

function* unnamed(list: readonly unknown[]): Generator<readonly [string, unknown]> {
  for (const member of list) yield ['', member ?? null]
}

function* named(whole: object): Generator<readonly [string, unknown]> {
  for (const [name, member] of Object.entries(sorted(whole))) if (member !== undefined) yield [`${JSON.stringify(name)}:`, member]
}

/** As JSON, the members of each object in one order. */
const canonical = (value: unknown): string =>
  `${JSON.stringify(value, (_, part) => (part && typeof part === 'object' && !Array.isArray(part) ? sorted(part) : part))}`

const sorted = (whole: object): object => Object.fromEntries(Object.entries(whole).sort(([a], [b]) => (a < b ? -1 : 1)))

/** Whether there are few values within it, of which no more are counted than that. */
function isSmall(value: unknown): boolean {
  let left = FEW
  const count = (one: unknown): boolean => {
    left -= 1
    if (left < 0) return false
    if (one === null || typeof one !== 'object') return true
    return (Array.isArray(one) ? one : Object.values(one)).every(count)
  }
  return count(value)
}
