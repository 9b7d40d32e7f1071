import { encodeBase32UpperCaseNoPadding } from '@oslojs/encoding'
import { createTOTPKeyURI, verifyHOTP } from '@oslojs/otp'

const STEP_SECONDS = 30
const DIGITS = 6

/** Number of the 30-second step of a moment in milliseconds (RFC 6238, 4.2). */
export const totpStep = (moment: number): number => Math.floor(moment / 1000 / STEP_SECONDS)

/**
 * Finds the step that a one-time password belongs to: the current one, or the one before or after, since clocks differ. Returns null when the
 * password is wrong. The caller refuses a step that was used before.
 */
export function verifyTotp(secret: Uint8Array, code: string, moment = Date.now()): number | null {
  const now = totpStep(moment)
  return [now, now - 1, now + 1].find((step) => step >= 0 && verifyHOTP(secret, BigInt(step), DIGITS, code)) ?? null
}

/** Secret as people type it into an authenticator app: base32 without padding (RFC 4648, 6). */
export const totpSecretText = (secret: Uint8Array): string => encodeBase32UpperCaseNoPadding(secret)

/** Builds the `otpauth://` URI that an authenticator app reads from a QR code. */
export const totpUri = (secret: Uint8Array, service: string, account: string): string =>
  createTOTPKeyURI(service, account, secret, STEP_SECONDS, DIGITS).replaceAll('+', '%20')
