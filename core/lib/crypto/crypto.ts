import { createCipheriv, createDecipheriv, randomBytes, timingSafeEqual } from 'node:crypto'
import { generateRandomString } from '@oslojs/crypto/random'

const TOKEN_CHARS = 43
const TOKEN_ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const IV_BYTES = 12
const TAG_BYTES = 16

/** Creates a random token: the prefix (`st`, `sk`, `at`, `rt`), `_` and 43 characters (256 bits). */
export const newToken = (prefix: string) =>
  `${prefix}_${generateRandomString({ read: (bytes) => void crypto.getRandomValues(bytes) }, TOKEN_ALPHABET, TOKEN_CHARS)}`

/** Creates a webhook secret: `whsec_` and the base64 of 32 random bytes. */
export const newWebhookSecret = () => `whsec_${randomBytes(32).toString('base64')}`

/** Returns the SHA-256 digest as hexadecimal text. */
export const sha256 = (data: string | Uint8Array) => new Bun.CryptoHasher('sha256').update(data).digest('hex')

/** Returns the HMAC-SHA256 of the data as hexadecimal text. */
export const hmacSha256 = (key: string, data: string | Uint8Array) => new Bun.CryptoHasher('sha256', key).update(data).digest('hex')

/** Compares two texts. The duration reveals only their length. */
export function constantTimeEqual(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/** Hashes a password with argon2id, at the runtime's recommended cost. */
export const hashPassword = (password: string) => Bun.password.hash(password, { algorithm: 'argon2id' })

/** Verifies a password in constant time. Without a hash, or with an empty one, it verifies against a decoy and returns false. */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  decoy ??= hashPassword('a decoy that nobody signs in with')
  const matches = await Bun.password.verify(password, hash || (await decoy))
  return matches && Boolean(hash)
}
let decoy: Promise<string> | undefined

/** Encrypts secrets at rest with AES-256-GCM. A sealed text is bound to its owner's id. */
export interface Vault {
  seal(plain: string, owner: string): string
  /** Decrypts what the current or a previous key sealed. Throws if that key is missing, or if the text was sealed for another owner. */
  open(sealed: string, owner: string): string
  /** Returns a keyed digest that shows whether two texts are equal. Without the key it reveals nothing. It survives key rotation. */
  fingerprint(text: string): string
  /** Starts a fingerprint of a text that arrives in pieces, each of whole characters. */
  startFingerprint(): FingerprintBuilder
  /** Prefix of everything that the current key sealed. */
  readonly prefix: string
}

/** Fingerprint that is computed piece by piece. */
export interface FingerprintBuilder {
  add(piece: string): void
  digest(): string
}

/** Length of an encryption key in bytes. */
export const KEY_BYTES = 32

/** Derives the key for fingerprints from an encryption key, if no digest key is stored. */
export const digestKeyOf = (key: Uint8Array) => new Bun.CryptoHasher('sha256', key).update('fingerprint').digest('hex')

/**
 * Opens a vault. `keys` have 32 bytes each: the first seals, all of them open. The owner's id is part of the authentication tag, so a
 * sealed value that was moved to another row does not open.
 */
export function openVault(keys: readonly Uint8Array[], digestKey: string): Vault {
  const [key] = keys
  if (!key || keys.some(({ length }) => length !== KEY_BYTES)) throw new RangeError('An encryption key must have 32 bytes.')
  const byPrefix = new Map(keys.map((one) => [prefixOf(one), one]))
  const prefix = prefixOf(key)
  return {
    prefix,
    fingerprint: (text) => hmacSha256(digestKey, text),
    startFingerprint() {
      const hasher = new Bun.CryptoHasher('sha256', digestKey)
      return { add: (piece) => void hasher.update(piece), digest: () => hasher.digest('hex') }
    },
    seal: (plain, owner) => prefix + sealWith(key, plain, owner),
    open(sealed, owner) {
      // Version 1 does not record which key sealed the value.
      if (sealed.startsWith('v1.')) return openWithAny(keys, sealed.slice('v1.'.length), owner)
      const of = byPrefix.get(sealed.slice(0, prefix.length))
      if (!of) throw new Error('This was sealed with an encryption key that is not here.')
      return openWith(of, sealed.slice(prefix.length), owner)
    },
  }
}

const prefixOf = (key: Uint8Array) => `v2.${sha256(key).slice(0, 8)}.`

function openWithAny(keys: readonly Uint8Array[], sealed: string, owner: string): string {
  let failure: unknown
  for (const key of keys) {
    try {
      return openWith(key, sealed, owner)
    } catch (error) {
      // Tries the next key.
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
