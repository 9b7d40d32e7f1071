import { newToken } from '../../../lib/crypto/crypto.ts'

const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const BASE = ALPHABET.length
const PREFIX_CHARS = 3
const WEEK_CHARS = 3
const RANDOM_CHARS = 40
const WEEK_MS = 7 * 86_400_000

/** Of access and refresh tokens. */
export type TokenPrefix = 'at' | 'rt'

/** Since 1970. Tokens are kept by the week in which they expire. */
export const weekOf = (moment: number) => Math.floor(moment / WEEK_MS)

/** `at_` or `rt_` + 43 characters: three of them say the week in which it expires, which leads to where it is kept; the rest is 238 bits of chance. */
export const newTokenText = (prefix: TokenPrefix, expiresMs: number): string =>
  tokenText(prefix, expiresMs, newToken(prefix).slice(-RANDOM_CHARS))

/** The same, of what a keyed digest (in hex) makes of another secret. */
export const derivedTokenText = (prefix: TokenPrefix, expiresMs: number, digest: string): string =>
  tokenText(prefix, expiresMs, encode(BigInt(`0x${digest}`), RANDOM_CHARS))

/** The week that a token says; null of what is no such text. */
export function weekNamedBy(token: string): number | null {
  if (!/^[ar]t_[0-9A-Za-z]{43}$/.test(token)) return null
  const named = token.slice(PREFIX_CHARS, PREFIX_CHARS + WEEK_CHARS)
  return [...named].reduce((week, letter) => week * BASE + ALPHABET.indexOf(letter), 0)
}

const tokenText = (prefix: TokenPrefix, expiresMs: number, rest: string) =>
  `${prefix}_${encode(BigInt(weekOf(expiresMs)), WEEK_CHARS)}${rest}`

/** So many digits at once are a number of 31 bits. */
const CHUNK_CHARS = 5
const CHUNK = BigInt(BASE ** CHUNK_CHARS)

/** The last `chars` digits of a number. */
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
