import { normalizePhone } from '../lib/phone.ts'
import { ApiError } from './errors.ts'

/** A caller's phone number in E.164: 422 `invalid_phone` with its place where no such number can exist. */
export function phoneNumber(typed: string, country: string, path: string): string {
  const normal = normalizePhone(typed, country)
  if (normal) return normal
  throw new ApiError('invalid_phone', 'The phone number cannot exist in that country; check its digits.', {
    details: [{ path, message: 'Not a possible phone number.' }],
  })
}
