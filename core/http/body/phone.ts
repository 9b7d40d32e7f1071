import { DomainError, type FieldPath } from '../../lib/errors/domain-error.ts'
import { parsePhones, parsePossiblePhone } from '../../lib/phone.ts'

/** Parses a caller's phone number as E.164. Returns the first of several. Throws 422 `invalid_phone` with its field. */
export function parsePhone(typed: string, country: string, field: FieldPath): string {
  const [first] = parsePhones(typed, country)
  if (first) return first
  throw invalidPhone(country, field)
}

/**
 * Parses a phone number to search for. Accepts an invalid but possible number, which older data may contain. Throws 422 `invalid_phone`.
 */
export function parseSearchPhone(typed: string, country: string, field: FieldPath): string {
  const found = parsePossiblePhone(typed, country)
  if (found) return found
  throw invalidPhone(country, field)
}

interface TypedPhones {
  readonly phone: string
  readonly phoneAlt?: string | null | undefined
}

/**
 * Parses the two phone fields of a person. A second number in `phone` becomes the alternative if none is given. Numbers in `kept` are
 * accepted unchanged. Throws 422 `invalid_phone` with the field of the invalid field.
 */
export function parseContactPhones(
  { phone: typed, phoneAlt: typedAlt }: TypedPhones,
  country: string,
  { at, kept = [] }: { readonly at: FieldPath; readonly kept?: readonly (string | null)[] },
): { readonly phone: string; readonly phoneAlt: string | null } {
  const [phone, second] = kept.includes(typed) ? [typed] : parsePhones(typed, country)
  if (!phone) throw invalidPhone(country, [...at, 'phone'])
  if (!typedAlt?.trim()) return { phone, phoneAlt: second ?? null }
  return { phone, phoneAlt: kept.includes(typedAlt) ? typedAlt : parsePhone(typedAlt, country, [...at, 'phoneAlt']) }
}

const invalidPhone = (country: string, field: FieldPath) =>
  new DomainError(
    'invalid_phone',
    `This is not a valid phone number of ${country.toUpperCase()}. Check its digits, or begin it with + and the country code.`,
    { issues: [{ field, message: 'Not a valid phone number.' }] },
  )
