import { generateHOTP } from '@oslojs/otp'
import { totpStep } from '../../core/lib/crypto/totp.ts'

/** One-time password of a step, as an authenticator app shows it. */
export const codeOfStep = (secret: Uint8Array, step: number): string => generateHOTP(secret, BigInt(step), 6)

/** One-time password of now, or of so many steps from now, so that each is another. */
export const codeFromNow = (secret: Uint8Array, steps = 0): string => codeOfStep(secret, totpStep(Date.now()) + steps)
