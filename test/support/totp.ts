import { generateHOTP } from '@oslojs/otp'
import { totpStep } from '../../core/lib/crypto/totp.ts'

/** One-time password of a step, as an authenticator app shows it. */
export const codeOfStep = (secret: Uint8Array, step: number): string => generateHOTP(secret, BigInt(step), 6)

/** One-time password of now, or of so many steps from now, so that each is another. */
export const codeFromNow = (secret: Uint8Array, steps = 0): string => codeOfStep(secret, totpStep(Date.now()) + steps)

/** Bytes of a secret as it is typed off, in base 32. */
export const bytesOf = (text: string) => {
  const bits = [...text].map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Uint8Array.from({ length: Math.floor(bits.length / 8) }, (_, at) => Number.parseInt(bits.slice(at * 8, at * 8 + 8), 2))
}
