import { yieldEvery } from '../../lib/async/yield-every.ts'
import type { Vault } from '../../lib/crypto/crypto.ts'

/** Characters that are hashed at once, and values that are serialized at once. */
const CHUNK = 64 * 1024
const SMALL_MAX = 1_000

/**
 * Returns a keyed digest of a text and a value. The order of an object's members does not matter. Large values are processed in pieces, so
 * that other work can run.
 */
export async function fingerprintOf(vault: Pick<Vault, 'startFingerprint'>, head: string, value: unknown): Promise<string> {
  const print = vault.startFingerprint()
  const yieldSlice = yieldEvery()
  let text = head

  function write(piece: string): Promise<void> | undefined {
    text += piece
    if (text.length < CHUNK) return yieldSlice()
    print.add(text)
    text = ''
    return yieldSlice()
  }

  function writeAny(whole: unknown): Promise<void> | undefined {
    if (isSmall(whole)) return write(canonical(whole))
    return Array.isArray(whole) ? writeLarge(listMembers(whole), ['[', ']']) : writeLarge(objectMembers(whole as object), ['{', '}'])
  }

  async function writeLarge(members: Iterable<readonly [name: string, member: unknown]>, [opening, closing]: readonly [string, string]) {
    await yieldSlice()
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

function* listMembers(list: readonly unknown[]): Generator<readonly [string, unknown]> {
  for (const member of list) yield ['', member ?? null]
}

function* objectMembers(whole: object): Generator<readonly [string, unknown]> {
  for (const [name, member] of Object.entries(sortMembers(whole))) if (member !== undefined) yield [`${JSON.stringify(name)}:`, member]
}

/** Serializes a value as JSON with sorted members. */
const canonical = (value: unknown): string =>
  `${JSON.stringify(value, (_, part) => (part && typeof part === 'object' && !Array.isArray(part) ? sortMembers(part) : part))}`

const sortMembers = (whole: object): object => Object.fromEntries(Object.entries(whole).sort(([a], [b]) => (a < b ? -1 : 1)))

/** Returns true if a value contains few values. Stops counting at the limit. */
function isSmall(value: unknown): boolean {
  let left = SMALL_MAX
  const count = (one: unknown): boolean => {
    left -= 1
    if (left < 0) return false
    if (one === null || typeof one !== 'object') return true
    return (Array.isArray(one) ? one : Object.values(one)).every(count)
  }
  return count(value)
}
