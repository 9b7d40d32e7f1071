import { createCipheriv, createDecipheriv, randomBytes, timingSafeEqual } from 'node:crypto'
import { generateRandomString } from '@oslojs/crypto/random'

const TOKEN_CHARS = 43
const TOKEN_ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const IV_BYTES = 12
const TAG_BYTES = 16

/** `st_`, `sk_`, `at_`, `rt_` + 43 characters (256 bits). */
export const newToken = (prefix: string) =>
  `${prefix}_${generateRandomString({ read: (bytes) => void crypto.getRandomValues(bytes) }, TOKEN_ALPHABET, TOKEN_CHARS)}`

/** `whsec_` + base64 of 32 random bytes. */
export const newWebhookSecret = () => `whsec_${randomBytes(32).toString('base64')}`

export const sha256 = (data: string | Uint8Array) => new Bun.CryptoHasher('sha256').update(data).digest('hex')

export const hmacSha256 = (key: string, data: string | Uint8Array) => new Bun.CryptoHasher('sha256', key).update(data).digest('hex')

/** How long the comparison takes tells nothing but the length. */
export function constantTimeEqual(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/** argon2id, with the runtime's recommended cost. */
export const hashPassword = (password: string) => Bun.password.hash(password, { algorithm: 'argon2id' })

/** Verifies in the same time whether there is an account or not: without a hash, or with an empty one, it works on a decoy. */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  decoy ??= hashPassword('a decoy that nobody signs in with')
  const matches = await Bun.password.verify(password, hash || (await decoy))
  return matches && Boolean(hash)
}
let decoy: Promise<string> | undefined

/** Secrets at rest: AES-256-GCM under the process's key, bound to what they belong to. */
export interface Vault {
  seal(plain: string, owner: string): string
  /** Also what an earlier key sealed, as long as that is given. Throws where the key is not there, or what was sealed is not the owner's. */
  open(sealed: string, owner: string): string
  /** A keyed digest: says whether two texts are the same, and nothing of them to who lacks the key. Stays what it is when keys change. */
  fingerprint(text: string): string
  /** The same of a text that comes in pieces, each of whole characters. */
  fingerprinting(): Fingerprinting
  /** How all begins that the present key sealed. */
  readonly prefix: string
}

export interface Fingerprinting {
  add(piece: string): void
  digest(): string
}

export const KEY_BYTES = 32

/** What fingerprints are made with, where nothing else was kept. */
export const digestKeyOf = (key: Uint8Array) => new Bun.CryptoHasher('sha256', key).update('fingerprint').digest('hex')

/**
 * `keys` are 32 bytes each: the first seals, all open. `owner` (an id) goes into the authentication tag: a sealed value moved to another
 * row does not open.
 */
export function openVault(keys: readonly Uint8Array[], digestKey: string): Vault {
  const [key] = keys
  if (!key || keys.some(({ length }) => length !== KEY_BYTES)) throw new RangeError('An encryption key must have 32 bytes.')
  const byPrefix = new Map(keys.map((one) => [prefixOf(one), one]))
  const prefix = prefixOf(key)
  return {
    prefix,
    fingerprint: (text) => hmacSha256(digestKey, text),
    fingerprinting() {
      const hasher = new Bun.CryptoHasher('sha256', digestKey)
      return { add: (piece) => void hasher.update(piece), digest: () => hasher.digest('hex') }
    },
    seal: (plain, owner) => prefix + sealWith(key, plain, owner),
    open(sealed, owner) {
      // What was sealed before keys could change does not say with which.
      if (sealed.startsWith('v1.')) return firstThatOpens(keys, sealed.slice('v1.'.length), owner)
      const of = byPrefix.get(sealed.slice(0, prefix.length))
      if (!of) throw new Error('This was sealed with an encryption key that is not here.')
      return openWith(of, sealed.slice(prefix.length), owner)
    },
  }
}

const prefixOf = (key: Uint8Array) => `v2.${sha256(key).slice(0, 8)}.`

function firstThatOpens(keys: readonly Uint8Array[], sealed: string, owner: string): string {
  let failure: unknown
  for (const key of keys) {
    try {
      return openWith(key, sealed, owner)
    } catch (error) {
      // The next may.
      failure = error
    }
  }
  throw failure
}

function sealWith(key: Uint8Array, plain: string, owner: string): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(owner))
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64')
}

function openWith(key: Uint8Array, sealed: string, owner: string): string {
  const bytes = Buffer.from(sealed, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES)).setAAD(Buffer.from(owner))
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
}
