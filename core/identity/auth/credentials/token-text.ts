import { newToken } from '../../../lib/crypto/crypto.ts'
import { WEEK_MS } from '../../../lib/durations.ts'

const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const BASE = ALPHABET.length
const PREFIX_CHARS = 3
const WEEK_CHARS = 3
const RANDOM_CHARS = 40

/** Prefix of access tokens (`at`) and refresh tokens (`rt`). */
export type TokenPrefix = 'at' | 'rt'

/**
 * Returns the number of the week since 1970 that contains a time in milliseconds. Tokens are partitioned by the week in which they expire.
 */
export const weekOf = (moment: number) => Math.floor(moment / WEEK_MS)

/**
 * Generates the text of a token: `at_` or `rt_` and 43 characters. Three of them encode the week of expiry, which leads to the partition;
 * the rest is 238 random bits.
 */
export const newTokenText = (prefix: TokenPrefix, expiresMs: number): string =>
  tokenText(prefix, expiresMs, newToken(prefix).slice(-RANDOM_CHARS))

/** Derives the text of a token from a keyed digest in hex, instead of random bits. */
export const deriveTokenText = (prefix: TokenPrefix, expiresMs: number, digest: string): string =>
  tokenText(prefix, expiresMs, encode(BigInt(`0x${digest}`), RANDOM_CHARS))

/** Returns the week of expiry that a token encodes. Returns null when the text is not a token. */
export function weekOfToken(token: string): number | null {
  if (!/^[ar]t_[0-9A-Za-z]{43}$/.test(token)) return null
  const named = token.slice(PREFIX_CHARS, PREFIX_CHARS + WEEK_CHARS)
  return [...named].reduce((week, letter) => week * BASE + ALPHABET.indexOf(letter), 0)
}

const tokenText = (prefix: TokenPrefix, expiresMs: number, rest: string) =>
  `${prefix}_${encode(BigInt(weekOf(expiresMs)), WEEK_CHARS)}${rest}`

/** Number of digits that fit into 31 bits together. */
const CHUNK_CHARS = 5
const CHUNK = BigInt(BASE ** CHUNK_CHARS)

/** Returns the last `chars` digits of a number, in base 62. */
function encode(value: bigint, chars: number): string {
  let text = ''
  for (let left = value; text.length < chars; left /= CHUNK) text = chunkText(Number(left % CHUNK)) + text
  return text.slice(-chars)
}

function chunkText(value: number): string {
  let text = ''
  for (let left = value; text.length < CHUNK_CHARS; left = Math.floor(left / BASE)) text = ALPHABET.charAt(left % BASE) + text
  return text
}
