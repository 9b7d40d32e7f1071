import { createHmac } from 'node:crypto'

const STEP_SECONDS = 30
const DIGITS = 6
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4226, 5.3. */
export function hotp(secret: Uint8Array, counter: number, digits = DIGITS): string {
  const message = Buffer.alloc(8)
  message.writeBigUInt64BE(BigInt(counter))
  const digest = createHmac('sha1', secret).update(message).digest()
  const number = digest.readUInt32BE((digest.at(-1) ?? 0) & 15) & 0x7fffffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** Since 1970 (RFC 6238). */
export const stepOf = (moment: number) => Math.floor(moment / 1000 / STEP_SECONDS)

/** The step whose code this is: of now, or the one before or after, for clocks that are not quite right; null where it is of none. */
export function verifyTotp(secret: Uint8Array, code: string, moment = Date.now()): number | null {
  const now = stepOf(moment)
  return [now, now - 1, now + 1].find((step) => hotp(secret, step) === code) ?? null
}

/** Without padding (RFC 4648). */
export function base32(bytes: Uint8Array): string {
  let [text, bits, held] = ['', 0, 0]
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff
    for (bits += 8; bits >= 5; bits -= 5) text += ALPHABET[(held >> (bits - 5)) & 31]
  }
  return bits > 0 ? text + ALPHABET[(held << (5 - bits)) & 31] : text
}

/** What an authenticator app reads off a picture. */
export const totpUri = (secret: Uint8Array, service: string, account: string) =>
  `otpauth://totp/${encodeURIComponent(service)}:${encodeURIComponent(account)}?secret=${base32(secret)}&issuer=${encodeURIComponent(service)}`
